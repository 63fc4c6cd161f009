import { join } from 'node:path';
import { type Accelerator, acceleratorArguments } from '../../setup/vm/accelerator.ts';
import { commandIn } from '../../setup/vm/qemu.ts';
import { imageFiles } from '../../setup/vm/true-host-image.ts';

/** The prepared dependencies of a machine. */
export interface MachineDependencies {
  /** Folder of qemu. */
  readonly qemu: string;
  /** Folder of a server's image. */
  readonly image: string;
  readonly accelerator: Accelerator;
}

export interface MachineSettings extends MachineDependencies {
  /** MiB. */
  readonly memory: number;
  /** Clock of the machine at its start; absent: the current time. */
  readonly clock?: Date | undefined;
  /** File for the output of the serial console; existing text is kept. */
  readonly console: string;
  /** Unix sockets: of qemu's monitor, and of the agent in the guest. */
  readonly monitor: string;
  readonly agent: string;
  /** Arguments for its drives, the first of which is the disk. */
  readonly drives: readonly string[];
}

/** Defaults except for options that slow down an emulated CPU. */
const kernelArguments =
  'console=ttyS0 quiet panic=5 mitigations=off random.trust_cpu=1 nokaslr tsc=reliable';

/** Name of the network inside qemu, for its monitor. */
export const netdev = 'net0';

/**
 * Returns the command line of qemu for a machine with two CPUs and a private network, in which
 * 10.0.2.2 is the loopback of this machine. It boots Linux directly, without boot loader and
 * Debian's initrd. Powering off ends qemu; a reboot does not.
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
