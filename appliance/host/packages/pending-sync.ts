import { z } from 'zod';
import { bootId } from '../boot-id.ts';
import { readText, removeFile, writeText } from '../files.ts';
import type { Host } from '../host.ts';
import { packageStates } from './states.ts';
import { syncDisks } from './sync-disks.ts';

/** Exists from before packages come until they are on the disk. */
const markFile = 'var/lib/landfall/packages-unsettled';
/** The archives that apt is about to unpack: a path a line, written by apt itself. */
const comingFile = 'var/lib/landfall/packages-coming';

const markSchema = z.strictObject({
  /** The start of the machine in which they have been coming. */
  boot: z.string().min(1).max(100),
  /** Packages that dpkg knew before. */
  known: z.array(z.string()).max(100_000),
});
type Mark = z.infer<typeof markSchema>;

/**
 * Records durably that packages are about to come. dpkg waits until what it unpacks is on the disk,
 * but scripts of packages do not: after a power cut UFW's rules were empty files, which its scripts
 * take for the owner's own ones and never touch again.
 * @returns options of apt-get, which make it record which packages these are before dpkg starts
 */
export async function expectPackages(host: Host): Promise<string[]> {
  const boot = await bootId(host);
  // After a failed attempt in this boot, what that one brought still counts as new.
  if ((await readMark(host))?.boot !== boot) {
    await writeText(host, comingFile, '');
    const known = await knownPackages(host);
    await writeText(host, markFile, `${JSON.stringify({ boot, known } satisfies Mark)}\n`);
  }
  const file = host.path(comingFile);
  // apt runs it in a shell with the archives on standard input (apt.conf(5), Pre-Install-Pkgs), and
  // installs nothing where it fails.
  return ['-o', `DPkg::Pre-Install-Pkgs::=cat >>${file} && sync ${file}`];
}

/** Those whose settings are still there are known too: their owner removed them. */
async function knownPackages(host: Host): Promise<string[]> {
  const states = await packageStates(host);
  return [...states].filter(([, state]) => state !== 'not-installed').map(([name]) => name);
}

/** Waits until the packages that were expected are on the disk; does nothing where none were. */
export async function settlePackages(host: Host): Promise<void> {
  if ((await readText(host, markFile)) === undefined) return;
  await syncDisks(host);
  await removeFile(host, markFile);
  await removeFile(host, comingFile);
}

/**
 * Takes away, with all that their scripts made, the packages that were coming when the machine last
 * stopped. They were not there before, so nothing of the owner's is in them.
 * @throws LandfallError COMMAND_FAILED while somebody else uses dpkg
 */
export async function removePendingPackages(
  host: Host,
  say: (line: string) => void,
): Promise<void> {
  const mark = await readMark(host);
  if (mark === undefined || mark.boot === (await bootId(host))) return;
  say('taking away packages that a power cut may have damaged, to install them anew');
  const packages = await newPackages(host, mark);
  // Code 1: others need one of them by now. What can be mended of it is mended later.
  const args = ['--purge', '--force-remove-reinstreq', ...packages];
  if (packages.length > 0) await host.run('dpkg', args, { seconds: 3600, accept: [1] });
  await settlePackages(host);
}

/** The name of a package starts the name of its archive (deb(5)): `/…/ufw_0.36.2-9_all.deb`. */
async function newPackages(host: Host, { known }: Mark): Promise<string[]> {
  const text = (await readText(host, comingFile)) ?? '';
  const names = [...text.matchAll(/^(?:.*\/)?([a-z0-9][a-z0-9+.-]*)_[^/]*\.deb$/gm)];
  const old = new Set(known);
  return [...new Set(names.map(([, name = '']) => name))].filter((name) => !old.has(name));
}

async function readMark(host: Host): Promise<Mark | undefined> {
  try {
    return markSchema.parse(JSON.parse((await readText(host, markFile)) ?? ''));
  } catch {
    return undefined;
  }
}
