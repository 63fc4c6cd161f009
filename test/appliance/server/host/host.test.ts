import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Host, Stopwatch } from '../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import { TemporaryHost } from '../../temporary-host.ts';

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

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that ends when the test resolves it. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve, fail: reject };
}

describe('Stopwatch', () => {
  it('does not count idle time', () => {
    const watch = new Stopwatch();
    vi.advanceTimersByTime(1000);
    expect(watch.total).toBe(0);
  });

  it('counts running work before its end', async () => {
    const watch = new Stopwatch();
    const one = work();
    const measured = watch.measure(one.run);
    vi.advanceTimersByTime(300);
    expect(watch.total).toBe(300);
    one.end();
    await measured;
    vi.advanceTimersByTime(1000);
    expect(watch.total).toBe(300);
  });

  it('counts overlapping times once', async () => {
    const watch = new Stopwatch();
    const [one, two] = [work(), work()];
    const first = watch.measure(one.run);
    vi.advanceTimersByTime(100);
    const second = watch.measure(two.run);
    vi.advanceTimersByTime(100);
    one.end();
    await first;
    vi.advanceTimersByTime(100);
    two.end();
    await second;
    expect(watch.total).toBe(300);
  });

  it('sums up consecutive times', async () => {
    const watch = new Stopwatch();
    for (const time of [10, 20]) {
      await watch.measure(async () => {
        vi.advanceTimersByTime(time);
      });
      vi.advanceTimersByTime(500);
    }
    expect(watch.total).toBe(30);
  });

  it('returns the result of the work', async () => {
    expect(await new Stopwatch().measure(async () => 'result')).toBe('result');
  });

  it('stops when the work fails', async () => {
    const watch = new Stopwatch();
    const failing = watch.measure(async () => {
      vi.advanceTimersByTime(50);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    vi.advanceTimersByTime(1000);
    expect(watch.total).toBe(50);
  });
});
