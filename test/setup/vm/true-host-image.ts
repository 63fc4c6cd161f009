import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import { addPackages } from '../debian/add-packages.ts';
import type { DebianMirror } from '../debian/debian-mirror.ts';
import { cloudHooks, cloudPackages } from '../debian/host-image.ts';
import { withMmdebstrap } from '../debian/mmdebstrap.ts';
import type { Say } from '../say.ts';
import { Unmet } from '../unmet.ts';
import { makeInitrd } from './initrd.ts';
import { commandIn } from './qemu.ts';

const suite = 'trixie';
/** Packages of a cloud image, and the guest agent of cloud providers. */
const packages = [...cloudPackages, 'qemu-guest-agent'];
const kernel = ['linux-image-cloud-amd64', 'apparmor'];
/** Packages that the first boot installs, which takes minutes without KVM. */
const installed = ['docker.io', 'docker-cli', 'ufw', 'fail2ban', 'python3-systemd', 'nftables'];
const hooks = [
  ...cloudHooks(suite),
  'ln -sf ../run/systemd/resolve/stub-resolv.conf "$1/etc/resolv.conf"',
  'echo localhost >"$1/etc/hostname"',
  'echo "LABEL=root / ext4 defaults,errors=remount-ro 0 1" >"$1/etc/fstab"',
];

/** Files in the folder of {@link provideTrueHostImage}. */
export const imageFiles = { kernel: 'vmlinux', initrd: 'initrd.cpio', disk: 'disk.img' } as const;

export interface TrueHostImageOptions {
  /** Whether the packages of a first boot are preinstalled. */
  readonly preinstalled: boolean;
  /** Whether kernel and AppArmor are those of Debian unstable, whose profiles are enforced. */
  readonly confined?: boolean;
}

/** Profiles of AppArmor 5 for programs of Landfall, and for some that it must not need. */
export const enforced = ['tinyproxy', 'wg', 'wg-quick', 'unix-chkpwd', 'hostname', 'who', 'tar'];

/**
 * Enforces these profiles, which Debian loads in complain mode, and removes the others: the parser takes
 * seconds for each on an emulated CPU. The texts stay in the package, whose license is not ours.
 */
const enforce = `
touch etc/.updated var/.updated
cp usr/share/apparmor/extra-profiles/tar etc/apparmor.d
cd etc/apparmor.d
mkdir kept && mv ${enforced.join(' ')} kept
find . -maxdepth 1 -type f -delete
sed -i 's/(complain,/(/; s/ flags=(complain)//' kept/*
! grep complain kept/*
mv kept/* . && rmdir kept`;

/**
 * Returns the folder of a Debian 13 server for qemu: a raw disk with one ext4, which grows on first
 * boot, a kernel and an initrd. Builds it the first time.
 * @param qemu the folder of {@link provideQemu}
 * @throws Unmet
 */
export async function provideTrueHostImage(
  qemu: string,
  { preinstalled, confined = false }: TrueHostImageOptions,
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  if (process.getuid?.() !== 0) throw new Unmet('building another Debian must be run as root');
  const name = `true-host-${confined ? 'confined' : preinstalled ? 'preinstalled' : 'fresh'}`;
  const all = [...packages, ...(confined ? [] : kernel), ...(preinstalled ? installed : [])];
  const newer = confined ? [...kernel, 'apparmor-profiles'] : [];
  const inputs = { suite, all, newer, enforce, hooks, recipe: 2 };
  return await cached(cache, name, inputs, async (folder) => {
    say('trueHost', 'a server with a kernel, built from Debian packages once');
    const root = join(folder, 'root');
    await mkdir(folder);
    const bootstrap = { variant: 'apt', suite, packages: all, target: root, hooks } as const;
    await withMmdebstrap(bootstrap, await mirror(), (command, args, env) =>
      execa(command, args, { env, stdin: 'ignore' }),
    );
    if (confined) {
      await addPackages(root, 'sid', newer, await mirror());
      await execa('sh', ['-ec', enforce], { cwd: root });
    }
    await writeFile(join(folder, imageFiles.kernel), await unpackedKernel(join(root, 'boot')));
    await makeInitrd(root, qemu, join(folder, imageFiles.initrd));
    await makeDisk(root, qemu, join(folder, imageFiles.disk));
    await rm(root, { recursive: true });
  });
}

/** Slightly more than the size of the packages: cloud-init grows the file system to the disk. */
const diskSize = '2G';

async function makeDisk(root: string, qemu: string, disk: string): Promise<void> {
  const args = ['-q', '-F', '-t', 'ext4', '-L', 'root', '-d', root, disk, diskSize];
  await execa(...commandIn(qemu, 'usr/sbin/mke2fs', args));
}

/**
 * Decompresses the kernel, because an emulated machine takes seconds for that: qemu starts it by
 * the PVH entry. The header of the boot protocol contains its offset
 * (Documentation/arch/x86/boot.rst: setup_sects, payload_offset, payload_length).
 */
async function unpackedKernel(boot: string): Promise<Buffer> {
  const name = (await readdir(boot)).find((file) => file.startsWith('vmlinuz-'));
  if (!name) throw new Error('the image has no kernel');
  const kernel = await readFile(join(boot, name));
  const start = ((kernel[0x1f1] ?? 0) + 1) * 512 + kernel.readUInt32LE(0x248);
  // The last four bytes contain the size of the unpacked kernel.
  return zstdDecompressSync(kernel.subarray(start, start + kernel.readUInt32LE(0x24c) - 4));
}
