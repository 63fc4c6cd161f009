import { arch, cpus } from 'node:os';
import { describe, expect, it } from 'vitest';
import { inspectServer } from '../../../../appliance/server/host/server.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const debian = 'PRETTY_NAME="Debian"\nID=debian\nVERSION_ID="13"\nVERSION_CODENAME=trixie\n';

function inspect(files: Record<string, string>) {
  return inspectServer(TemporaryHost.with(files).root);
}

describe('inspectServer', () => {
  it('reads the distribution, with or without quotes', async () => {
    expect(await inspect({ 'etc/os-release': debian })).toMatchObject({
      distribution: { id: 'debian', version: '13' },
      codename: 'trixie',
    });
  });

  it('returns unknown for a missing distribution', async () => {
    expect(await inspect({ 'etc/os-release': 'NAME=odd\n' })).toMatchObject({
      distribution: { id: 'unknown', version: 'unknown' },
    });
  });

  it('reads architecture, memory, CPUs and disk', async () => {
    const facts = await inspect({ 'etc/os-release': debian });
    expect(facts.arch).toBe(
      new Map([
        ['x64', 'amd64'],
        ['arm64', 'arm64'],
      ]).get(arch()),
    );
    expect(facts.cpus).toBeGreaterThanOrEqual(1);
    expect(facts.cpus).toBeLessThanOrEqual(cpus().length);
    expect(facts.memory).toBeGreaterThan(2 ** 28);
    expect(facts.freeDisk).toBeGreaterThan(0);
  });

  it('reads the memory that the kernel keeps for crash dumps, 0 without kdump', async () => {
    const files = { 'etc/os-release': debian, 'sys/kernel/kexec_crash_size': '268435456\n' };
    expect((await inspect(files)).crashMemory).toBe(268435456);
    expect((await inspect({ 'etc/os-release': debian })).crashMemory).toBe(0);
  });

  it('reads the container type, undefined for a machine', async () => {
    const files = { 'etc/os-release': debian, 'run/systemd/container': 'lxc\n' };
    expect((await inspect(files)).container).toBe('lxc');
    expect((await inspect({ 'etc/os-release': debian })).container).toBeUndefined();
  });
});
