import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Meter } from '#terminal/meter.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const start = () => new Meter({ done: 0, total: 10e6, unit: 'bytes' }, () => {});

describe('a meter of a transfer', () => {
  it('measures the rate since the start', () => {
    const meter = start();
    vi.advanceTimersByTime(2000);
    meter.advance(3e6);
    expect(meter).toMatchObject({ done: 3e6, seconds: 2, rate: 1.5e6 });
  });

  it('counts present bytes as done, but not for the rate', () => {
    const meter = new Meter({ done: 4e6, total: 10e6, unit: 'bytes' }, () => {});
    meter.skip(5e6);
    vi.advanceTimersByTime(1000);
    meter.advance(1e6);
    expect(meter).toMatchObject({ done: 10e6, rate: 1e6 });
  });

  it('excludes the time of waiting for other work', async () => {
    const meter = start();
    vi.advanceTimersByTime(1000);
    meter.advance(1e6);
    const other = Promise.withResolvers<string>();
    const waiting = meter.waitFor(other.promise);
    vi.advanceTimersByTime(60_000);
    expect(meter).toMatchObject({ isWaiting: true, seconds: 1, rate: 1e6 });
    other.resolve('there');
    expect(await waiting).toBe('there');
    vi.advanceTimersByTime(1000);
    expect(meter).toMatchObject({ isWaiting: false, seconds: 2, rate: 0.5e6 });
  });

  it('continues after other work has failed', async () => {
    const meter = start();
    await expect(meter.waitFor(Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(meter.isWaiting).toBe(false);
  });
});
