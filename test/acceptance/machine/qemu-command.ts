import type { Architecture } from '#contract/bundle/release-name.ts';

/** In the order in which they are tried. The emulated CPU of amd64 has no AVX, which is slow to emulate. */
export const accelerators = ['kvm', 'tcg'] as const;
type Accelerator = (typeof accelerators)[number];

interface CloudMachine {
  readonly accelerator: Accelerator;
  readonly arch: Architecture;
  readonly disk: string;
  /** File for the output of the serial console. */
  readonly console: string;
  /** Port on 127.0.0.1 that leads to sshd of the machine. */
  readonly sshPort: number;
  /** Arguments of the drive with user-data. */
  readonly seed: readonly string[];
}

/** Firmware of Debian's and Ubuntu's qemu-efi-aarch64. amd64 uses the BIOS of qemu. */
const arm64Firmware = '/usr/share/qemu-efi-aarch64/QEMU_EFI.fd';

const boards: Readonly<Record<Architecture, readonly [program: string, ...args: string[]]>> = {
  amd64: ['qemu-system-x86_64', '-M', 'q35'],
  arm64: ['qemu-system-aarch64', '-M', 'virt', '-bios', arm64Firmware],
};

/**
 * Returns the command line of qemu for a cloud image: boot loader and kernel are those of the
 * distribution.
 */
export function qemuCommand({ arch, accelerator, disk, console, sshPort, seed }: CloudMachine) {
  const cpu = accelerator === 'tcg' && arch === 'amd64' ? 'Nehalem' : 'max';
  const [program, ...board] = boards[arch];
  const args = [
    ...board,
    ...['-accel', accelerator, '-cpu', cpu, '-smp', '4', '-m', '8192'],
    ...['-nodefaults', '-no-user-config', '-display', 'none', '-serial', `file:${console}`],
    ...['-drive', `file=${disk},if=none,id=disk,format=qcow2,discard=unmap`],
    // Otherwise the BIOS starts from the drive with user-data, which has no boot loader.
    ...['-device', 'virtio-blk-pci,drive=disk,bootindex=0'],
    ...['-netdev', `user,id=net0,hostfwd=tcp:127.0.0.1:${sshPort}-:22`],
    ...['-device', 'virtio-net-pci,netdev=net0', '-device', 'virtio-rng-pci'],
    ...seed,
  ];
  return { program, args };
}
