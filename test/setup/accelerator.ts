import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from './cached.ts';
import { commandIn } from './qemu.ts';
import { imageFiles } from './true-host-image.ts';

/** How qemu runs a guest: on the processor itself, or by translating its instructions. */
export type Accelerator = 'kvm' | 'tcg';

/** The arguments that choose an accelerator. Without AVX there is less to translate. */
export const acceleratorArguments: Readonly<Record<Accelerator, readonly string[]>> = {
  kvm: ['-accel', 'kvm', '-cpu', 'host'],
  tcg: ['-accel', 'tcg,thread=multi,tb-size=512', '-cpu', 'Nehalem'],
};

/** Seconds in which a kernel that starts at all has started, with KVM. */
const patience = 8;

/**
 * Finds out whether guests really run with KVM here: inside other virtual machines the device may
 * be there, and a guest hangs all the same. The answer is kept for this kernel and processor.
 */
export async function findAccelerator(
  qemu: string,
  image: string,
  cache: string,
): Promise<Accelerator> {
  if (!existsSync('/dev/kvm')) return 'tcg';
  const machine = { release: release(), processor: cpus()[0]?.model, patience };
  const folder = await cached(cache, 'accelerator', machine, async (target) => {
    await mkdir(target);
    const works = await guestStarts(qemu, image);
    await writeFile(join(target, 'found'), works ? 'kvm' : 'tcg');
  });
  return (await readFile(join(folder, 'found'), 'utf8')) === 'kvm' ? 'kvm' : 'tcg';
}

/** Starts a guest without a disk: its initrd switches it off again. */
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
    timeout: patience * 1000,
    killSignal: 'SIGKILL',
  });
  return stdout.includes('Run /init as init process');
}
