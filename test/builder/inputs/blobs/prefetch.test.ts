import { describe, expect, it } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { BlobPrefetch } from '../../../../builder/inputs/blobs/prefetch.ts';
import { BlobStore } from '../../../../builder/inputs/blobs/store.ts';

const digest = digestOf('blob');

describe('prefetched blobs', () => {
  it('fetches prefetched blobs once, even if they are requested several times', async () => {
    const prefetch = new BlobPrefetch(new BlobStore('/store'));
    let fetches = 0;
    const fetch = async () => {
      fetches += 1;
    };
    prefetch.begin(digest, fetch);
    prefetch.begin(digest, fetch);
    await Promise.all([prefetch.ready(digest), prefetch.ready(digest)]);
    expect(fetches).toBe(1);
  });

  it('waits for prefetched blobs, and then finds them in the store', async () => {
    const prefetch = new BlobPrefetch(new BlobStore('/store'));
    const arrival = Promise.withResolvers<void>();
    let arrived = false;
    prefetch.begin(digest, () => arrival.promise);
    const ready = prefetch.ready(digest).then((path) => [arrived, path]);
    arrived = true;
    arrival.resolve();
    expect(await ready).toEqual([true, `/store/blobs/sha256/${digest.slice(7)}`]);
  });

  it('aborts prefetched blobs at the end of the prefetch', async () => {
    const given: AbortSignal[] = [];
    {
      await using prefetch = new BlobPrefetch(new BlobStore('/store'));
      prefetch.begin(digest, (signal) => {
        given.push(signal);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      });
    }
    expect(given.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('report a failure only to the consumer of the blob', async () => {
    const prefetch = new BlobPrefetch(new BlobStore('/store'));
    prefetch.begin(digest, async () => {
      throw new Error('the network is gone');
    });
    await prefetch.settled();
    await expect(prefetch.ready(digest)).rejects.toThrow('the network is gone');
  });
});
