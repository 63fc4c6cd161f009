import { z } from 'zod';
import { bootId } from './boot-id.ts';
import { readText, removeFile, writeText } from './files.ts';
import type { Host } from './host.ts';
import { syncDisks } from './sync-disks.ts';

/** Lies there from before packages come until they are on the disk. */
const markFile = 'var/lib/landfall/packages-unsettled';

const markSchema = z.strictObject({
  /** The start of the machine in which they have been coming. */
  boot: z.string().min(1).max(100),
  /** Those that were not there before; names as in deb-control(5), with or without architecture. */
  packages: z.array(z.string().regex(/^[a-z0-9][a-z0-9+.-]*(?::[a-z0-9-]+)?$/)).max(5000),
});
type Mark = z.infer<typeof markSchema>;

/**
 * Says, for good, that packages are about to come. dpkg waits until what it unpacks is on the disk,
 * but scripts of packages do not: after a power cut UFW's rules were empty files, which its scripts
 * take for the owner's own ones and never touch again.
 */
export async function expectPackages(host: Host, names: readonly string[]): Promise<void> {
  const [earlier, boot] = [await readMark(host), await bootId(host)];
  const known = earlier?.boot === boot ? earlier.packages : [];
  const mark = { boot, packages: [...new Set([...known, ...names])] };
  await writeText(host, markFile, `${JSON.stringify(mark)}\n`);
}

/** Waits until the packages that were expected are on the disk. */
export async function settlePackages(host: Host): Promise<void> {
  await syncDisks(host);
  await removeFile(host, markFile);
}

/**
 * Takes away, with all that their scripts made, the packages that were coming when the machine last
 * stopped. They were not there before, so nothing of the owner's is in them.
 * @throws LandfallError COMMAND_FAILED while somebody else uses dpkg
 */
export async function removeUnsettledPackages(
  host: Host,
  say: (line: string) => void,
): Promise<void> {
  const mark = await readMark(host);
  if (mark === undefined || mark.boot === (await bootId(host))) return;
  say('taking away packages that a power cut may have damaged, to install them anew');
  // Code 1: others need one of them by now. What can be mended of it is mended later.
  const args = ['--purge', '--force-remove-reinstreq', ...mark.packages];
  if (mark.packages.length > 0) await host.run('dpkg', args, { seconds: 3600, accept: [1] });
  await settlePackages(host);
}

async function readMark(host: Host): Promise<Mark | undefined> {
  try {
    return markSchema.parse(JSON.parse((await readText(host, markFile)) ?? ''));
  } catch {
    return undefined;
  }
}
