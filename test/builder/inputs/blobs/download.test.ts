import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serve, status, trickle } from '../../../faulty-server/faults.ts';
import type { Handler } from '../../../faulty-server/faulty-server.ts';
import { contentOf, descriptorOf, Rig } from './rig.ts';

const bytes = contentOf(1_500_000);
let rig: Rig;

beforeEach(async () => {
  rig = await Rig.start({ '/blob': serve(bytes) });
});

afterEach(() => rig.close());

describe('a blob that is missing in the store', () => {
  it('fetches, hashes and writes a missing blob once', async () => {
    await rig.downloader.fetch(rig.download(bytes));
    expect(await rig.stored(bytes)).toEqual(bytes);
    const { length } = bytes;
    expect(rig.statistics).toEqual({
      fetched: length,
      fromCache: 0,
      hashed: length,
      written: length,
    });
    expect(await rig.partials()).toEqual({});
  });

  it('shows a progress row that ends with the blob', async () => {
    await rig.downloader.fetch(rig.download(bytes));
    expect(rig.rows).toEqual([
      { label: 'a layer', total: bytes.length, advanced: bytes.length, isEnded: true },
    ]);
    expect(rig.notes).toEqual([]);
  });

  it.each([0, 1, 65_536, 524_287, 524_288, 524_289, 1_048_576])(
    'may have %i bytes',
    async (size) => {
      const content = contentOf(size);
      rig.server.answer({ '/blob': serve(content) });
      await rig.downloader.fetch(rig.download(content));
      expect(await rig.stored(content)).toEqual(content);
    },
  );

  it('may arrive without a length, in chunks of any size', async () => {
    rig.server.answer(async ({ response }) => {
      for (let at = 0; at < bytes.length; at += 77_777) {
        await new Promise((resolve) => response.write(bytes.subarray(at, at + 77_777), resolve));
      }
      response.end();
    });
    await rig.downloader.fetch(rig.download(bytes));
    expect(await rig.stored(bytes)).toEqual(bytes);
  });

  it('may arrive in small chunks that share memory', async () => {
    const content = contentOf(20_000);
    rig.server.answer(({ response }) => {
      response.writeHead(200);
      for (let at = 0; at < content.length; at += 7) response.write(content.subarray(at, at + 7));
      response.end();
    });
    await rig.downloader.fetch(rig.download(content));
    expect(await rig.stored(content)).toEqual(content);
  });

  it('replaces a file of another size under its digest', async () => {
    const path = rig.store.path(descriptorOf(bytes).digest);
    await writeFile(path, 'truncated by a power failure');
    await rig.downloader.fetch(rig.download(bytes));
    expect(await rig.stored(bytes)).toEqual(bytes);
  });
});

describe('a blob that is in the store', () => {
  it('skips the download and the hash of a blob that is in the store', async () => {
    await rig.store.put(bytes, 'application/octet-stream');
    await rig.downloader.fetch(rig.download(bytes));
    expect(rig.server.seen()).toHaveLength(0);
    expect(rig.rows).toEqual([]);
    expect(rig.statistics).toEqual({
      fetched: 0,
      fromCache: bytes.length,
      hashed: 0,
      written: 0,
    });
  });

  it('counts a blob that is in the store once for several images', async () => {
    await rig.store.put(bytes, 'application/octet-stream');
    await rig.downloader.fetch(rig.download(bytes));
    await rig.downloader.fetch(rig.download(bytes));
    expect(rig.statistics.fromCache).toBe(bytes.length);
  });

  it('counts a blob that this run downloaded as fetched, not as cached', async () => {
    await rig.downloader.fetch(rig.download(bytes));
    await rig.downloader.fetch(rig.download(bytes));
    expect(rig.statistics).toMatchObject({ fetched: bytes.length, fromCache: 0 });
    expect(rig.server.seen()).toHaveLength(1);
  });
});

describe('one shared download per blob', () => {
  it('serves all callers', async () => {
    rig.server.answer({ '/blob': trickle(bytes, 500_000, 1) });
    await Promise.all(Array.from({ length: 20 }, () => rig.downloader.fetch(rig.download(bytes))));
    expect(rig.server.seen()).toHaveLength(1);
    expect(rig.statistics.fetched).toBe(bytes.length);
  });

  it('can be retried after a failure', async () => {
    rig.server.answer({});
    await expect(rig.downloader.fetch(rig.download(bytes))).rejects.toThrow('404');
    rig.server.answer({ '/blob': serve(bytes) });
    await rig.downloader.fetch(rig.download(bytes));
    expect(await rig.stored(bytes)).toEqual(bytes);
  });

  it('retries a shared download from another source after a failure', async () => {
    rig.server.answer({ '/here': serve(bytes) });
    const [missing, found] = await Promise.allSettled([
      rig.downloader.fetch(rig.download(bytes, '/missing')),
      rig.downloader.fetch(rig.download(bytes, '/here')),
    ]);
    expect(missing.status).toBe('rejected');
    expect(found.status).toBe('fulfilled');
    expect(await rig.stored(bytes)).toEqual(bytes);
  });

  it('fails for all callers of an unreachable host', async () => {
    rig.server.answer({ '/blob': status(503) });
    const here = [1, 2, 3].map(() => rig.downloader.fetch(rig.download(bytes)));
    const asked = await Promise.allSettled(here);
    expect(asked.map((one) => one.status)).toEqual(Array(3).fill('rejected'));
    expect(rig.server.seen()).toHaveLength(5);
  });

  it('does not fail for callers of another host', async () => {
    rig.server.answer({ '/down': status(503), '/blob': serve(bytes) });
    const down = rig.downloader.fetch(rig.download(bytes, '/down'));
    const other = { ...rig.download(bytes), host: 'other.example' };
    const [one, another] = await Promise.allSettled([down, rig.downloader.fetch(other)]);
    expect([one.status, another.status]).toEqual(['rejected', 'fulfilled']);
  });

  it('distinguishes two sizes for one digest', async () => {
    const right = rig.download(bytes);
    const wrong = { ...right, descriptor: { ...right.descriptor, size: bytes.length + 1 } };
    const [one, other] = await Promise.allSettled([
      rig.downloader.fetch(right),
      rig.downloader.fetch(wrong),
    ]);
    expect(one.status).toBe('fulfilled');
    expect(other).toMatchObject({ status: 'rejected', reason: { code: 'BLOB_SIZE' } });
    expect(await rig.stored(bytes)).toEqual(bytes);
  });
});

describe('many layers of one host', () => {
  it('all arrive with limited concurrency, without leaking slots for unread streams', async () => {
    const layers = Array.from({ length: 200 }, () =>
      contentOf(20_000 + Math.floor(Math.random() * 9)),
    );
    const routes = layers.map((layer, index) => [`/${index}`, trickle(layer, 9_000, 0)] as const);
    rig.server.answer(Object.fromEntries(routes));
    await Promise.all(
      layers.map((layer, index) => rig.downloader.fetch(rig.download(layer, `/${index}`))),
    );
    expect(await readdir(join(rig.store.folder, 'blobs', 'sha256'))).toHaveLength(200);
    expect(rig.server.peak).toBeLessThanOrEqual(4);
    expect(rig.server.peak).toBeGreaterThan(1);
  });

  it('arrive even if half of them fail', async () => {
    const layers = Array.from({ length: 40 }, () => contentOf(10_000));
    const routes = layers.map((layer, index) => [`/${index}`, serve(layer)] as const);
    rig.server.answer(Object.fromEntries(routes.filter((_route, index) => index % 2 === 0)));
    const fetched = await Promise.allSettled(
      layers.map((layer, index) => rig.downloader.fetch(rig.download(layer, `/${index}`))),
    );
    expect(fetched.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  });

  it('downloads the layers of one host sequentially on request, the largest first', async () => {
    const single = rig.newDownloader(1);
    const large = 4 * 1024 * 1024;
    const layers = [large + 1, large + 3, large + 2].map(contentOf);
    const routes = layers.map((layer, index) => [`/${index}`, serve(layer)] as const);
    const queued = Promise.withResolvers<void>();
    const blob: Handler = (visit) => queued.promise.then(() => serve(bytes)(visit));
    rig.server.answer(Object.fromEntries([...routes, ['/blob', blob]]));
    const first = single.fetch(rig.download(bytes));
    await vi.waitFor(() => expect(rig.server.seen()).toHaveLength(1), { timeout: 60_000 });
    const has = vi.spyOn(rig.store, 'has');
    const others = layers.map((layer, i) => single.fetch(rig.download(layer, `/${i}`)));
    // A download asks for its slot right after it missed the blob in the store.
    await Promise.all(has.mock.results.map(({ value }) => value));
    queued.resolve();
    await Promise.all([first, ...others]);
    expect(rig.server.seen().map(({ path }) => path)).toEqual(['/blob', '/1', '/2', '/0']);
  });
});

describe('a store that cannot be written', () => {
  it('reports the path before any request', async () => {
    await rm(rig.partialFolder, { recursive: true });
    await writeFile(rig.partialFolder, 'in the way');
    await expect(rig.downloader.fetch(rig.download(bytes))).rejects.toMatchObject({
      code: 'FILE_ACCESS',
      message: expect.stringContaining(rig.partialFolder),
    });
    expect(rig.server.seen()).toHaveLength(0);
  });

  it('reports a folder at the path of the blob', async () => {
    const path = rig.store.path(descriptorOf(bytes).digest);
    await mkdir(join(path, 'in-the-way'), { recursive: true });
    await expect(rig.downloader.fetch(rig.download(bytes))).rejects.toMatchObject({
      code: 'FILE_ACCESS',
    });
    expect((await stat(dirname(path))).isDirectory()).toBe(true);
  });
});
