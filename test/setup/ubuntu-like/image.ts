import { chmod, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import type { DebianMirror } from '../debian-mirror.ts';
import { provideHostImage, rootfs } from '../host-image.ts';
import type { Say } from '../say.ts';
import { type ImageFile, ubuntuFiles } from './files.ts';

/** What Ubuntu Server's cloud images have and Debian's do not. ufw stays inactive. */
const packages = ['snapd', 'needrestart', 'ufw'];

/** Ubuntu starts sshd when a client connects, and sets the network up with systemd-networkd. */
const unitChanges = [
  'systemctl --quiet disable ssh.service',
  'systemctl --quiet enable ssh.socket systemd-networkd.service systemd-networkd-wait-online.service',
].join(' && ');

const script = fileURLToPath(new URL('add-packages.sh', import.meta.url));
const generator = fileURLToPath(new URL('sshd-socket-generator.sh', import.meta.url));
const asTarred = ['--xattrs', '--xattrs-include=*', '--numeric-owner'];

/**
 * Gives the folder with `rootfs.tar`, a Debian 13 that is set up the way Ubuntu's cloud images are:
 * Ubuntu's own archive may be out of reach. Makes it from Debian 13's the first time.
 * @throws Unmet
 */
export async function provideUbuntuLikeImage(
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  const base = await provideHostImage('debian13', cache, mirror, say);
  const files: readonly ImageFile[] = [
    ...ubuntuFiles,
    {
      path: 'usr/lib/systemd/system-generators/sshd-socket-generator',
      text: await readFile(generator, 'utf8'),
      mode: 0o755,
    },
  ];
  const recipe = await readFile(script, 'utf8');
  const inputs = { base: basename(base), packages, unitChanges, files, recipe };
  return await cached(cache, 'host-ubuntu-like', inputs, async (folder) => {
    say('ubuntu-like', 'a Debian 13 shaped like Ubuntu, only once');
    const root = join(folder, 'root');
    await mkdir(root, { recursive: true });
    await execa('tar', [...asTarred, '-xf', join(base, rootfs), '-C', root]);
    await addPackages(root, folder, await mirror());
    for (const file of files) await place(root, file);
    await execa('chroot', [root, 'sh', '-c', unitChanges], { env: { PATH: folders } });
    // Neither ldconfig nor the journal's catalogue has anything new to find at the first boot.
    for (const path of ['etc/.updated', 'var/.updated']) await touch(join(root, path));
    await execa('tar', [...asTarred, '-cf', join(folder, rootfs), '-C', root, '.']);
    await rm(root, { recursive: true });
  });
}

const folders = '/usr/sbin:/usr/bin:/sbin:/bin';

async function addPackages(root: string, folder: string, mirror: DebianMirror): Promise<void> {
  const settings = join(folder, 'apt.conf');
  // As a file: a proxy's address may hold a password, which `ps` would show.
  await writeFile(settings, mirror.settings, { mode: 0o600 });
  const keyring = join(root, 'usr/share/keyrings/debian-archive-keyring.gpg');
  const source = `deb [signed-by=${keyring}] ${mirror.url} trixie main`;
  const command = ['sh', script, root, settings, source, ...packages];
  await execa('unshare', ['--mount', '--propagation', 'private', ...command], {
    stdin: 'ignore',
    env: { PATH: folders, LC_ALL: 'C.UTF-8' },
  });
  await rm(settings);
}

async function place(root: string, { path, text, mode = 0o644 }: ImageFile): Promise<void> {
  const target = join(root, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text);
  await chmod(target, mode);
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now);
}
