import { describe, expect, it } from 'vitest';
import { boundedHost } from '../../../appliance/doctor/bounded-host.ts';
import { runCommand } from '../../../appliance/host/run/command.ts';

describe('a host with a time limit', () => {
  it('kills a program that hangs, whatever its own limit is', async () => {
    const host = boundedHost('/', runCommand, 0.2);
    await expect(host.run('sleep', ['300'], { seconds: 300 })).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
      message: expect.stringContaining('timed out'),
    });
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
