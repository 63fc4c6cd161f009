import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatestWriter } from '../../../../appliance/server/progress/tracker.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a frequently changing value', () => {
  it('writes a frequently changing value once per interval, the newest one only', async () => {
    const written: number[] = [];
    const writer = new LatestWriter(async (value: number) => void written.push(value), 250);
    for (const value of [1, 2, 3]) writer.offer(value);
    await vi.advanceTimersByTimeAsync(249);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(written).toEqual([3]);
  });

  it('writes the last value although no further change follows', async () => {
    const written: string[] = [];
    const writer = new LatestWriter(async (value: string) => void written.push(value), 250);
    writer.offer('stage');
    await writer.flush();
    writer.offer('pulling 4 GB');
    await vi.advanceTimersByTimeAsync(1000);
    expect(written).toEqual(['stage', 'pulling 4 GB']);
  });

  it('writes a pending value once immediately by flush', async () => {
    const written: number[] = [];
    const writer = new LatestWriter(async (value: number) => void written.push(value), 250);
    writer.offer(1);
    await writer.flush();
    await vi.advanceTimersByTimeAsync(1000);
    expect(written).toEqual([1]);
  });

  it('writes only one value at a time', async () => {
    let open = 0;
    let most = 0;
    const writer = new LatestWriter(async (_value: number) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      open -= 1;
    }, 10);
    for (let value = 0; value < 20; value += 1) {
      writer.offer(value);
      await vi.advanceTimersByTimeAsync(100);
    }
    await vi.runAllTimersAsync();
    expect(most).toBe(1);
  });

  it('ignores write errors and writes the next value', async () => {
    const written: number[] = [];
    const writer = new LatestWriter(async (value: number) => {
      if (value === 1) throw new Error('ENOSPC');
      written.push(value);
    }, 250);
    writer.offer(1);
    await writer.flush();
    writer.offer(2);
    await writer.flush();
    expect(written).toEqual([2]);
  });
});
