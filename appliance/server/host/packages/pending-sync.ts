import { z } from 'zod';
import { inLanguage } from '#contract/text/language.ts';
import { readText, removeFile, writeText } from '../files.ts';
import type { Host } from '../host.ts';
import { bootId } from '../server.ts';
import { StateFile } from '../state-file.ts';

/** Exists while packages are being installed and are not yet synced to disk. */
const markFile = 'var/lib/landfall/packages-unsettled';
/** The archives that apt is about to unpack, one path per line, written by apt. */
const comingFile = 'var/lib/landfall/packages-coming';

const markSchema = z.strictObject({
  /** Boot ID of the installation. */
  boot: z.string().min(1).max(100),
  /** Packages that dpkg knew before the installation. */
  known: z.array(z.string()).max(100_000),
});
type Mark = z.infer<typeof markSchema>;
const storedMark = new StateFile(markFile, markSchema, { isLine: true });

/**
 * Records durably that packages are about to be installed. dpkg syncs the files that it unpacks, but
 * package scripts do not: after a power cut UFW's rules were empty files, which its scripts treat as
 * local changes and never replace.
 * @returns options that make apt-get record the packages before dpkg starts
 */
export async function expectPackages(host: Host): Promise<string[]> {
  const boot = await bootId(host);
  // Packages of an earlier failed attempt in this boot still count as new.
  if ((await storedMark.read(host))?.boot !== boot) {
    await writeText(host, comingFile, '');
    const known = await knownPackages(host);
    await storedMark.write(host, { boot, known });
  }
  const file = host.path(comingFile);
  // apt runs this in a shell with the archives on standard input and aborts if it fails; see
  // apt.conf(5), Pre-Install-Pkgs.
  return ['-o', `DPkg::Pre-Install-Pkgs::=cat >>${file} && sync ${file}`];
}

/** Returns all known packages, including removed ones whose configuration files remain. */
async function knownPackages(host: Host): Promise<string[]> {
  const states = await packageStates(host);
  return [...states].filter(([, state]) => state !== 'not-installed').map(([name]) => name);
}

/** Syncs the expected packages to disk. Does nothing if no packages are expected. */
export async function syncPackages(host: Host): Promise<void> {
  if ((await readText(host, markFile)) === undefined) return;
  await syncDisks(host);
  await storedMark.remove(host);
  await removeFile(host, comingFile);
}

/**
 * Purges packages whose installation was interrupted by a power cut or reboot. They were new, so they
 * contain no changes of the administrator.
 * @throws LandfallError COMMAND_FAILED while another process uses dpkg
 */
export async function removePendingPackages(
  host: Host,
  say: (line: string) => void,
): Promise<void> {
  const mark = await storedMark.read(host);
  if (mark === undefined || mark.boot === (await bootId(host))) return;
  say(
    inLanguage({
      en: 'removing packages that a power cut may have damaged; they are reinstalled',
      zh: '删除断电可能损坏的软件包，随后重新安装',
    }),
  );
  const packages = await newPackages(host, mark);
  // Code 1: another package depends on one of them. The following repair handles that.
  const args = ['--purge', '--force-remove-reinstreq', ...packages];
  if (packages.length > 0) await host.run('dpkg', args, { seconds: 3600, accept: [1] });
  await syncPackages(host);
}

/** Returns the new packages, from archive names such as `/…/ufw_0.36.2-9_all.deb` (deb(5)). */
async function newPackages(host: Host, { known }: Mark): Promise<string[]> {
  const text = (await readText(host, comingFile)) ?? '';
  const names = [...text.matchAll(/^(?:.*\/)?([a-z0-9][a-z0-9+.-]*)_[^/]*\.deb$/gm)];
  const old = new Set(known);
  return [...new Set(names.map(([, name = '']) => name))].filter((name) => !old.has(name));
}

/**
 * Returns the states of Debian packages by name, such as `installed` or `config-files`
 * (dpkg-query(1), `db:Status-Status`). Packages unknown to dpkg are missing from the map.
 * @param names all packages of the server if empty
 */
export async function packageStates(
  host: Host,
  names: readonly string[] = [],
): Promise<Map<string, string>> {
  const { stdout } = await host.run(
    'dpkg-query',
    ['--show', '--showformat=${Package} ${db:Status-Status}\n', ...names],
    { accept: [1] },
  );
  return new Map(
    [...stdout.matchAll(/^(\S+) (\S+)$/gm)].map(([, name = '', state = '']) => [name, state]),
  );
}

/** Folders that may be separate file systems. */
const mountPoints = ['/', '/usr', '/var', '/home'];

/**
 * Flushes the server's file systems to disk. Most programs do not sync their files, which may be
 * empty after a power cut.
 */
export async function syncDisks(host: Host): Promise<void> {
  await host.run('sync', ['--file-system', ...mountPoints], { seconds: 3600 });
}
