import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PullProgress } from '../../../../../appliance/server/host/pull/pull-progress.ts';

const layer = (digest: string, total: number, completed?: number) => ({
  digest,
  total,
  ...(completed === undefined ? {} : { completed }),
});

describe('the progress of a pull', () => {
  it('sums up layers, which are announced one after another', () => {
    const progress = new PullProgress(null);
    progress.hear(layer('a', 100, 100));
    progress.hear(layer('b', 50));
    expect([progress.done, progress.total]).toEqual([100, 150]);
  });

  it('uses the total size from the release', () => {
    const progress = new PullProgress(1000);
    progress.hear(layer('a', 100, 10));
    expect([progress.done, progress.total]).toEqual([10, 1000]);
  });

  it('counts a completed layer in full', () => {
    const progress = new PullProgress(null);
    progress.hear(layer('a', 100, 10));
    progress.complete('a');
    progress.complete('b');
    expect([progress.done, progress.total]).toEqual([100, 100]);
  });

  it('reports whether bytes were received', () => {
    const progress = new PullProgress(null);
    expect(progress.hear(layer('a', 100, 10))).toBe(true);
    expect(progress.hear(layer('a', 100, 10))).toBe(false);
    expect(progress.hear({})).toBe(false);
    expect(progress.hear(layer('a', 100, 11))).toBe(true);
  });

  // A layer is downloaded again after a digest mismatch.
  it('reports activity of a restarted layer, but no gain until it exceeds the maximum', () => {
    const progress = new PullProgress(null);
    progress.hear(layer('a', 100, 90));
    expect(progress.hear(layer('a', 100, 5))).toBe(true);
    expect(progress.hear(layer('a', 100, 6))).toBe(true);
    expect(progress.most).toBe(90);
  });

  it('never exceeds the total', () => {
    const line = fc.record({
      digest: fc.constantFrom('a', 'b', 'c'),
      total: fc.nat(),
      completed: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const progress = new PullProgress(null);
        for (const each of lines) {
          progress.hear(each);
          expect(progress.done).toBeLessThanOrEqual(progress.total);
        }
      }),
    );
  });

  it('limits the number of layers', () => {
    const progress = new PullProgress(null);
    for (let index = 0; index < 5000; index += 1) progress.hear(layer(`${index}`, 1, 1));
    expect(progress.done).toBe(4096);
  });
});
