import { describe, expect, it, vi } from 'vitest';
import { boundedHost } from '../../../../appliance/operations/doctor/bounded-host.ts';
import { type RunCommand, runCommand } from '../../../../appliance/server/host/run/command.ts';

describe('a host with a time limit', () => {
  it('kills a program that hangs, and never returns its failure', async () => {
    const ended: number[] = [];
    const watched: RunCommand = async (...call) => {
      try {
        return await runCommand(...call);
      } finally {
        ended.push(1);
      }
    };
    const host = boundedHost('/', watched, 0.2);
    const call = host.run('sleep', ['300'], { seconds: 300 }).then(
      () => 'returned',
      () => 'failed',
    );
    await vi.waitUntil(() => ended.length === 1, 10_000);
    expect(await Promise.race([call, Promise.resolve('pending')])).toBe('pending');
  });

  it('returns a failure before the end', async () => {
    const host = boundedHost('/', runCommand, 60);
    await expect(host.run('false', [])).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });

  it('runs the same program once for several checks', async () => {
    const ran: string[] = [];
    const host = boundedHost(
      '/',
      async (file, args) => {
        ran.push([file, ...args].join(' '));
        return { code: 0, stdout: String(ran.length), stderr: '' };
      },
      60,
    );
    const both = await Promise.all([host.run('docker', ['ps']), host.run('docker', ['ps'])]);
    expect(both.map(({ stdout }) => stdout)).toEqual(['1', '1']);
    await host.run('docker', ['ps'], { accept: [1] });
    expect(ran).toEqual(['docker ps', 'docker ps']);
  });

  it('keeps a shorter limit', async () => {
    const seen: (number | undefined)[] = [];
    const host = boundedHost(
      '/',
      async (_file, _args, options) => {
        seen.push(options?.seconds);
        return { code: 0, stdout: '', stderr: '' };
      },
      100,
    );
    await host.run('x', [], { seconds: 3 });
    await host.run('x', []);
    expect(seen[0]).toBe(3);
    expect(seen[1]).toBeGreaterThan(90);
    expect(seen[1]).toBeLessThanOrEqual(100);
  });
});
