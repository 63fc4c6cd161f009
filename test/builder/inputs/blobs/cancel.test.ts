import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve, stallAfter, trickle } from '../../../faulty-server/faults.ts';
import { contentOf, descriptorOf, Rig } from './rig.ts';

const bytes = contentOf(1_500_000);
let rig: Rig;

beforeEach(async () => {
  rig = await Rig.start({ '/blob': serve(bytes) });
});

afterEach(() => rig.close());

describe('a cancelled download', () => {
  const reason = new Error('the user pressed Ctrl-C');

  it('ends while the body stalls, and keeps the received bytes', async () => {
    rig.server.answer({ '/blob': stallAfter(700_000, bytes) });
    const controller = new AbortController();
    const fetching = rig.downloader.fetch(rig.download(bytes), controller.signal);
    await untilAdvanced(700_000);
    controller.abort(reason);
    await expect(fetching).rejects.toBe(reason);
    const { digest } = descriptorOf(bytes);
    expect(await rig.partials()).toEqual({ [digest.slice(7)]: bytes.subarray(0, 700_000) });
    expect(rig.rows).toMatchObject([{ isEnded: true }]);
  });

  it('ends after the header without a body byte, and keeps nothing', async () => {
    rig.server.answer({ '/blob': stallAfter(0, bytes) });
    const controller = new AbortController();
    const download = rig.download(bytes);
    const reading = Promise.withResolvers<void>();
    const open = async (from: number) => {
      const response = await download.open(from);
      const content = response.body;
      async function* body() {
        reading.resolve();
        yield* content;
      }
      return Object.defineProperty(response, 'body', { value: body() });
    };
    const fetching = rig.downloader.fetch({ ...download, open }, controller.signal);
    await reading.promise;
    controller.abort(reason);
    await expect(fetching).rejects.toBe(reason);
    expect(await rig.partials()).toEqual({});
  });

  it('ends before any response, and keeps nothing', async () => {
    rig.server.answer(() => {});
    const controller = new AbortController();
    const fetching = rig.downloader.fetch(rig.download(bytes), controller.signal);
    while (rig.server.seen().length === 0) await new Promise(setImmediate);
    controller.abort(reason);
    await expect(fetching).rejects.toBe(reason);
    expect(await rig.partials()).toEqual({});
  });

  it('does not start', async () => {
    const signal = AbortSignal.abort(reason);
    await expect(rig.downloader.fetch(rig.download(bytes), signal)).rejects.toBe(reason);
    expect(rig.server.seen()).toHaveLength(0);
  });

  it('continues a cancelled download for another consumer of the blob', async () => {
    rig.server.answer({ '/blob': stallAfter(700_000, bytes) });
    const controller = new AbortController();
    const { signal } = controller;
    const first = rig.downloader.fetch(rig.download(bytes, '/blob', signal), signal);
    const second = rig.downloader.fetch(rig.download(bytes));
    await untilAdvanced(700_000);
    rig.server.answer({ '/blob': serve(bytes) });
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    await second;
    expect(await rig.stored(bytes)).toEqual(bytes);
    expect(rig.ranges()).toEqual([undefined, 'bytes=700000-']);
  });

  it('does not affect others when it was only waiting', async () => {
    const controller = new AbortController();
    rig.server.answer({ '/blob': trickle(bytes, 500_000, 5) });
    const first = rig.downloader.fetch(rig.download(bytes));
    const second = rig.downloader.fetch(rig.download(bytes), controller.signal);
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    await first;
    expect(await rig.stored(bytes)).toEqual(bytes);
  });

  async function untilAdvanced(count: number): Promise<void> {
    while ((rig.rows[0]?.advanced ?? 0) < count) await new Promise(setImmediate);
  }
});
