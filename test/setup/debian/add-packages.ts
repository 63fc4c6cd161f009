import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { DebianMirror } from './debian-mirror.ts';

export const addPackagesScript = fileURLToPath(new URL('add-packages.sh', import.meta.url));

/**
 * Installs packages in the root folder of a Debian release, without starting services.
 * @throws the error of apt-get with its output
 */
export async function addPackages(
  root: string,
  suite: 'bookworm' | 'trixie' | 'sid',
  packages: readonly string[],
  mirror: DebianMirror,
): Promise<void> {
  const settings = `${root}.apt.conf`;
  // In a file: a proxy URL may contain a password, which `ps` would show.
  const patient = `${mirror.settings}Acquire::Retries "5";\n`;
  await writeFile(settings, patient, { mode: 0o600 });
  const keyring = join(root, 'usr/share/keyrings/debian-archive-keyring.gpg');
  const source = `deb [signed-by=${keyring}] ${mirror.url} ${suite} main`;
  const command = ['sh', addPackagesScript, root, settings, source, ...packages];
  try {
    await execa('unshare', ['--mount', '--propagation', 'private', ...command], {
      stdin: 'ignore',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
    });
  } finally {
    await rm(settings, { force: true });
  }
}
