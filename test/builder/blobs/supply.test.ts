import { describe, expect, it } from 'vitest';
import { digestOf } from '#contract/digest.ts';
import { BlobStore } from '../../../builder/blobs/store.ts';
import { BlobSupply } from '../../../builder/blobs/supply.ts';

const digest = digestOf('blob');

describe('blobs on their way', () => {
  it('are fetched once, however often they are asked for', async () => {
    const supply = new BlobSupply(new BlobStore('/store'));
    let fetches = 0;
    const fetch = async () => {
      fetches += 1;
    };
    supply.begin(digest, fetch);
    supply.begin(digest, fetch);
    await Promise.all([supply.ready(digest), supply.ready(digest)]);
    expect(fetches).toBe(1);
  });

  it('are awaited and then found in the store', async () => {
    const supply = new BlobSupply(new BlobStore('/store'));
    const arrival = Promise.withResolvers<void>();
    let arrived = false;
    supply.begin(digest, () => arrival.promise);
    const ready = supply.ready(digest).then((path) => [arrived, path]);
    arrived = true;
    arrival.resolve();
    expect(await ready).toEqual([true, `/store/blobs/sha256/${digest.slice(7)}`]);
  });

  it('are given up by the end of the supply', async () => {
    const given: AbortSignal[] = [];
    {
      await using supply = new BlobSupply(new BlobStore('/store'));
      supply.begin(digest, (signal) => {
        given.push(signal);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      });
    }
    expect(given.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('tell their failure to who needs them, and to nobody else', async () => {
    const supply = new BlobSupply(new BlobStore('/store'));
    supply.begin(digest, async () => {
      throw new Error('the network is gone');
    });
    await supply.settled();
    await expect(supply.ready(digest)).rejects.toThrow('the network is gone');
  });
});
