import { expect, it } from 'vitest';
import { qemuCommand } from './qemu-command.ts';

const machine = { disk: 'a.qcow2', console: 'log', sshPort: 2222, seed: ['-device', 'seed'] };

it.each([
  ['amd64', 'qemu-system-x86_64', 'q35'],
  ['arm64', 'qemu-system-aarch64', 'virt'],
] as const)(
  'a machine of %s runs %s and forwards sshd to loopback only',
  (arch, program, board) => {
    const command = qemuCommand({ ...machine, arch, accelerator: 'kvm' });
    expect(command.program).toBe(program);
    expect(command.args[1]).toBe(board);
    expect(command.args).toContain('user,id=net0,hostfwd=tcp:127.0.0.1:2222-:22');
    expect(command.args).toContain('virtio-blk-pci,drive=disk,bootindex=0');
    expect(command.args.slice(-2)).toEqual(machine.seed);
  },
);
