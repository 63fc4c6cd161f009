import { join } from 'node:path';
import { type Accelerator, acceleratorArguments } from '../../setup/accelerator.ts';
import { commandIn } from '../../setup/qemu.ts';
import { imageFiles } from '../../setup/true-host-image.ts';

/** The prepared parts that a machine is made of. */
export interface MachineParts {
  /** Folder of qemu. */
  readonly qemu: string;
  /** Folder of a server's image. */
  readonly image: string;
  readonly accelerator: Accelerator;
}

export interface MachineSettings extends MachineParts {
  /** MiB. */
  readonly memory: number;
  /** What its clock shows when it is switched on; absent: the right time. */
  readonly clock?: Date | undefined;
  /** File that takes what comes out of the serial console; an older text stays. */
  readonly console: string;
  /** Unix sockets: of qemu's monitor, and of the agent in the guest. */
  readonly monitor: string;
  readonly agent: string;
  /** Arguments for its drives, the first of which is the disk. */
  readonly drives: readonly string[];
}

/** Ordinary but for what only costs an emulated processor time. */
const kernelArguments =
  'console=ttyS0 quiet panic=5 mitigations=off random.trust_cpu=1 nokaslr tsc=reliable';

/** The name of the network inside qemu, for its monitor. */
export const netdev = 'net0';

/**
 * The command line of qemu for a machine with two processors and a network of its own, in which
 * 10.0.2.2 is the loopback of this machine. Linux is started directly: no boot loader, no Debian
 * initrd. A machine that switches itself off ends qemu; one that restarts does not.
 */
export function machineCommand(settings: MachineSettings): [command: string, args: string[]] {
  const { qemu, image, accelerator, memory, clock, drives } = settings;
  const time = clock ? `base=${clock.toISOString().slice(0, 19)}` : 'base=utc';
  const args = [
    ...['-L', join(qemu, 'usr/share/qemu'), '-L', join(qemu, 'usr/share/seabios')],
    ...['-M', 'pc', ...acceleratorArguments[accelerator], '-smp', '2', '-m', `${memory}`],
    ...['-nodefaults', '-no-user-config', '-display', 'none', '-vga', 'none'],
    ...['-kernel', join(image, imageFiles.kernel), '-initrd', join(image, imageFiles.initrd)],
    ...['-append', kernelArguments, '-rtc', `${time},clock=host`],
    ...['-chardev', `file,id=console,path=${settings.console},append=on`],
    ...['-serial', 'chardev:console', '-qmp', `unix:${settings.monitor},server=on,wait=off`],
    ...['-netdev', `user,id=${netdev}`, '-device', `virtio-net-pci,netdev=${netdev},romfile=`],
    ...['-device', 'virtio-rng-pci', '-device', 'virtio-serial-pci'],
    ...['-chardev', `socket,id=agent,path=${settings.agent},server=on,wait=off`],
    ...['-device', 'virtserialport,chardev=agent,name=org.qemu.guest_agent.0'],
    ...drives,
  ];
  return commandIn(qemu, 'usr/bin/qemu-system-x86_64', args);
}
