import { describe, expect, it, vi } from 'vitest';
import { Host } from '../../../appliance/host/host.ts';
import { runCommand } from '../../../appliance/host/run/command.ts';
import { TemporaryHost } from '../temporary-host.ts';

describe('Host', () => {
  it('resolves paths below its root folder', () => {
    expect(new Host('/', runCommand).path('etc/hosts')).toBe('/etc/hosts');
    expect(TemporaryHost.with({}).path('etc', 'hosts')).toMatch(/landfall-host-.*\/etc\/hosts$/);
  });

  it('reports whether a program succeeds, for every exit code', async () => {
    const host = new Host('/', runCommand);
    expect(await host.succeeds('true', [])).toBe(true);
    expect(await host.succeeds('sh', ['-c', 'exit 255'])).toBe(false);
  });

  it('fails for a missing program', async () => {
    const host = new Host('/', runCommand);
    await expect(host.succeeds('no-such-program', [])).rejects.toMatchObject({
      code: 'TOOL_MISSING',
    });
  });

  it('measures the time of its programs, including failed ones', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const host = new Host('/', async (file) => {
        vi.advanceTimersByTime(40);
        if (file === 'fails') throw new Error('no');
        return { code: 0, stdout: '', stderr: '' };
      });
      await host.run('works', []);
      await expect(host.run('fails', [])).rejects.toThrow('no');
      vi.advanceTimersByTime(1000);
      expect(host.outside.total).toBe(80);
    } finally {
      vi.useRealTimers();
    }
  });
});
