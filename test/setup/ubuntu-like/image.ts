import { chmod, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import { addPackages, addPackagesScript } from '../debian/add-packages.ts';
import { archiveRoot, unpackRoot } from '../debian/debian.ts';
import type { DebianMirror } from '../debian/debian-mirror.ts';
import type { Say } from '../say.ts';
import { type ImageFile, ubuntuFiles } from './files.ts';

/** Packages of Ubuntu Server's cloud images that Debian's lack. ufw stays inactive. */
const packages = ['snapd', 'needrestart', 'ufw'];

/** Ubuntu starts sshd by socket activation, and configures the network with systemd-networkd. */
const unitChanges = [
  'systemctl --quiet disable ssh.service',
  'systemctl --quiet enable ssh.socket systemd-networkd.service systemd-networkd-wait-online.service',
].join(' && ');

const generator = fileURLToPath(new URL('sshd-socket-generator.sh', import.meta.url));
const folders = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Returns the archive of the root file system of a Debian 13 with the configuration of Ubuntu's
 * cloud images, because Ubuntu's own archive may be unreachable. Builds it from Debian 13's the
 * first time.
 * @param base the archive of Debian 13's server
 * @throws Unmet
 */
export async function provideUbuntuLike(
  base: string,
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  const files: readonly ImageFile[] = [
    ...ubuntuFiles,
    {
      path: 'usr/lib/systemd/system-generators/sshd-socket-generator',
      text: await readFile(generator, 'utf8'),
      mode: 0o755,
    },
  ];
  const recipe = await readFile(addPackagesScript, 'utf8');
  const inputs = { base: basename(dirname(base)), packages, unitChanges, files, recipe };
  const made = await cached(cache, 'ubuntu-like', inputs, async (folder) => {
    say('ubuntu-like', 'a Debian 13 configured like Ubuntu, built once');
    const root = join(folder, 'root');
    await mkdir(root, { recursive: true });
    await unpackRoot(base, root);
    await addPackages(root, 'trixie', packages, await mirror());
    for (const file of files) await writeImageFile(root, file);
    await execa('chroot', [root, 'sh', '-c', unitChanges], { env: { PATH: folders } });
    // Prevents ldconfig and the journal catalogue from running at the first boot.
    for (const path of ['etc/.updated', 'var/.updated']) await touch(join(root, path));
    await archiveRoot(root, join(folder, archive));
    await rm(root, { recursive: true });
  });
  return join(made, archive);
}

const archive = 'server.tar';

async function writeImageFile(
  root: string,
  { path, text, mode = 0o644 }: ImageFile,
): Promise<void> {
  const target = join(root, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text);
  await chmod(target, mode);
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now);
}
