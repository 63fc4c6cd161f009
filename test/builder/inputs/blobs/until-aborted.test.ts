import { describe, expect, it } from 'vitest';
import { untilAborted } from '../../../../builder/inputs/blobs/until-aborted.ts';

const reason = new Error('enough');
const never = new Promise<string>(() => {});

describe('waiting with a signal', () => {
  it('returns the value of the promise', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve('x'), signal)).toBe('x');
    expect(await untilAborted(Promise.resolve('x'), undefined)).toBe('x');
    await expect(untilAborted(Promise.reject(reason), signal)).rejects.toBe(reason);
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(never, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(untilAborted(never, controller.signal)).rejects.toBe(reason);
  });

  it('passes a late value to the callback once', async () => {
    const controller = new AbortController();
    const abandoned: string[] = [];
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = untilAborted(promise, controller.signal, (late) => abandoned.push(late));
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    resolve('late');
    await new Promise(setImmediate);
    expect(abandoned).toEqual(['late']);
  });

  it('does not pass a timely value to the callback', async () => {
    const controller = new AbortController();
    const abandoned: string[] = [];
    await untilAborted(Promise.resolve('x'), controller.signal, (late) => abandoned.push(late));
    controller.abort(reason);
    await new Promise(setImmediate);
    expect(abandoned).toEqual([]);
  });

  it('ignores a late rejection', async () => {
    const controller = new AbortController();
    const { promise, reject } = Promise.withResolvers<string>();
    const waiting = untilAborted(promise, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    reject(new Error('late'));
    await new Promise(setImmediate);
  });
});
