import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { execa } from 'execa';
import { cached } from './cached.ts';
import type { DebianMirror } from './debian-mirror.ts';
import { cloudHooks, cloudPackages } from './host-image.ts';
import { makeInitrd } from './initrd.ts';
import { withMmdebstrap } from './mmdebstrap.ts';
import { commandIn } from './qemu.ts';
import type { Say } from './say.ts';
import { Unmet } from './unmet.ts';

const suite = 'trixie';
/** A cloud image's packages, its kernel, and the agent through which a cloud looks into its servers. */
const packages = [...cloudPackages, 'linux-image-cloud-amd64', 'apparmor', 'qemu-guest-agent'];
/** What stages of a first boot install: in a machine without KVM that takes minutes. */
const installed = ['docker.io', 'docker-cli', 'ufw', 'fail2ban', 'python3-systemd', 'nftables'];
const hooks = [
  ...cloudHooks(suite),
  'ln -sf ../run/systemd/resolve/stub-resolv.conf "$1/etc/resolv.conf"',
  'echo localhost >"$1/etc/hostname"',
  'echo "LABEL=root / ext4 defaults,errors=remount-ro 0 1" >"$1/etc/fstab"',
];

/** The files in the folder that {@link provideTrueHostImage} gives. */
export const imageFiles = { kernel: 'vmlinux', initrd: 'initrd.cpio', disk: 'disk.img' } as const;

export interface TrueHostImageOptions {
  /** Whether the packages that a first boot installs are there already. */
  readonly preinstalled: boolean;
}

/**
 * Gives the folder of a Debian 13 server to boot in qemu: a raw disk with one ext4, which grows on
 * first boot, a kernel and an initrd. Makes it the first time.
 * @param qemu the folder of {@link provideQemu}
 * @throws Unmet
 */
export async function provideTrueHostImage(
  qemu: string,
  { preinstalled }: TrueHostImageOptions,
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  if (process.getuid?.() !== 0) throw new Unmet('to make another Debian takes root');
  const name = preinstalled ? 'true-host-preinstalled' : 'true-host-fresh';
  const all = preinstalled ? [...packages, ...installed] : packages;
  return await cached(cache, name, { suite, all, hooks, recipe: 1 }, async (folder) => {
    say('trueHost', 'a server with a kernel, made from Debian packages, only once');
    const root = join(folder, 'root');
    await mkdir(folder);
    const bootstrap = { variant: 'apt', suite, packages: all, target: root, hooks } as const;
    await withMmdebstrap(bootstrap, await mirror(), (command, args, env) =>
      execa(command, args, { env, stdin: 'ignore' }),
    );
    await writeFile(join(folder, imageFiles.kernel), await unpackedKernel(join(root, 'boot')));
    await makeInitrd(root, qemu, join(folder, imageFiles.initrd));
    await makeDisk(root, qemu, join(folder, imageFiles.disk));
    await rm(root, { recursive: true });
  });
}

/** Just above what the packages take: cloud-init makes the file system as large as the disk. */
const diskSize = '2G';

async function makeDisk(root: string, qemu: string, disk: string): Promise<void> {
  const args = ['-q', '-F', '-t', 'ext4', '-L', 'root', '-d', root, disk, diskSize];
  await execa(...commandIn(qemu, 'usr/sbin/mke2fs', args));
}

/**
 * The kernel without its compression, which an emulated machine would spend seconds on: qemu
 * starts it by the PVH entry. Where it lies, the header of the boot protocol says
 * (Documentation/arch/x86/boot.rst: setup_sects, payload_offset, payload_length).
 */
async function unpackedKernel(boot: string): Promise<Buffer> {
  const name = (await readdir(boot)).find((file) => file.startsWith('vmlinuz-'));
  if (!name) throw new Error('the image has no kernel');
  const kernel = await readFile(join(boot, name));
  const start = ((kernel[0x1f1] ?? 0) + 1) * 512 + kernel.readUInt32LE(0x248);
  // The size of the unpacked kernel stands in the last four bytes.
  return zstdDecompressSync(kernel.subarray(start, start + kernel.readUInt32LE(0x24c) - 4));
}
