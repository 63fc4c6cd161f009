import { describe, expect, it, vi } from 'vitest';
import { Afterwards } from './afterwards.ts';

describe('the end of a run', () => {
  it('runs the last step first', async () => {
    const order: string[] = [];
    const afterwards = new Afterwards();
    for (const name of ['folder', 'daemon']) {
      afterwards.add(async () => {
        order.push(name);
      });
    }
    await afterwards.run();
    expect(order).toEqual(['daemon', 'folder']);
  });

  it('continues when a step fails', async () => {
    const complaint = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const last = vi.fn(async () => undefined);
    const afterwards = new Afterwards();
    afterwards.add(last);
    afterwards.add(async () => {
      throw new Error('stuck');
    });
    await afterwards.run();
    expect(last).toHaveBeenCalledOnce();
    expect(complaint).toHaveBeenCalledOnce();
    complaint.mockRestore();
  });

  // After a signal and the regular end at the same time, the process ended before the folder was
  // removed.
  it('runs once for several callers', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let done = false;
    const afterwards = new Afterwards();
    afterwards.add(async () => {
      await promise;
      done = true;
    });
    const first = afterwards.run();
    const second = afterwards.run();
    resolve();
    await second;
    expect(done).toBe(true);
    await first;
  });
});
