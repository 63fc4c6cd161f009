import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import { commandIn } from './qemu.ts';
import { imageFiles } from './true-host-image.ts';

/** How qemu runs a guest: with KVM, or by emulating the CPU. */
export type Accelerator = 'kvm' | 'tcg';

/** Returns the arguments that select an accelerator. Without AVX, emulation is faster. */
export const acceleratorArguments: Readonly<Record<Accelerator, readonly string[]>> = {
  kvm: ['-accel', 'kvm', '-cpu', 'host'],
  tcg: ['-accel', 'tcg,thread=multi,tb-size=512', '-cpu', 'Nehalem'],
};

/** Seconds within which a kernel starts with KVM. */
const startTimeout = 8;

/**
 * Detects whether KVM works here: inside other virtual machines the device may exist although
 * guests hang. The result is cached for this kernel and CPU.
 */
export async function findAccelerator(
  qemu: string,
  image: string,
  cache: string,
): Promise<Accelerator> {
  if (!existsSync('/dev/kvm')) return 'tcg';
  const machine = { release: release(), processor: cpus()[0]?.model, startTimeout };
  const folder = await cached(cache, 'accelerator', machine, async (target) => {
    await mkdir(target);
    const works = await guestStarts(qemu, image);
    await writeFile(join(target, 'found'), works ? 'kvm' : 'tcg');
  });
  return (await readFile(join(folder, 'found'), 'utf8')) === 'kvm' ? 'kvm' : 'tcg';
}

/** Starts a guest without a disk, whose initrd powers it off. */
async function guestStarts(qemu: string, image: string): Promise<boolean> {
  const args = [
    ...['-L', join(qemu, 'usr/share/qemu'), '-L', join(qemu, 'usr/share/seabios')],
    ...['-M', 'pc', ...acceleratorArguments.kvm, '-m', '512', '-nodefaults', '-no-reboot'],
    ...['-display', 'none', '-vga', 'none', '-serial', 'stdio'],
    ...['-kernel', join(image, imageFiles.kernel), '-initrd', join(image, imageFiles.initrd)],
    ...['-append', 'console=ttyS0 panic=-1'],
  ];
  const { stdout } = await execa(...commandIn(qemu, 'usr/bin/qemu-system-x86_64', args), {
    stdin: 'ignore',
    reject: false,
    timeout: startTimeout * 1000,
    killSignal: 'SIGKILL',
  });
  return stdout.includes('Run /init as init process');
}
