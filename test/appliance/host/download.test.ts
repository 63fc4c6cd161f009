import { readFile, stat } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { download } from '../../../appliance/host/download.ts';
import type { Paces } from '../../../appliance/host/fastest-place.ts';
import { serve, status, trickle, wrongBytes } from '../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../faulty-server/faulty-server.ts';
import { sha256 } from '../../simulator/bundle.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

const content = Buffer.alloc(60_000, 'plugin ');
/** 20 kB a second: too slow to be the first choice here, fast enough to be the last. */
const slow = trickle(content, 2_000, 100);
const drip = trickle(content, 10, 100);
const paces: Paces = {
  hurried: { bytesPerSecond: 100_000, seconds: 0.5 },
  patient: { bytesPerSecond: 4_000, seconds: 0.5 },
};

const running: FaultyServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function fetched(...handlers: readonly Handler[]) {
  const places = await Promise.all(handlers.map((handler) => FaultyServer.start(handler)));
  running.push(...places);
  const host = TemporaryHost.with({});
  const target = host.path('plugin');
  const wanted = {
    path: 'runtime/plugin',
    urls: places.map((place) => place.url('/plugin').href),
    size: content.length,
    sha256: sha256(content),
    executable: true,
  };
  const listener = { say: () => {}, progress: () => {} };
  const { site } = contextFor(host);
  const attempt = download(host, site, wanted, target, listener, paces);
  return { attempt, target, asked: () => places.map((place) => place.seen('/plugin').length) };
}

describe('a download from several places', () => {
  it('is not kept by a slow one from a fast one', async () => {
    const { attempt, target, asked } = await fetched(slow, serve(content));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    expect(asked()).toEqual([1, 1]);
  });

  it('comes from a slow one where there is nothing better', async () => {
    const { attempt, target, asked } = await fetched(drip, slow, status(404));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    expect(asked()).toEqual([2, 2, 1]);
  });

  it('passes over one that has another file', async () => {
    const { attempt, target } = await fetched(wrongBytes(content), serve(content));
    await attempt;
    expect(await readFile(target)).toEqual(content);
  });
});

describe('a download from one place', () => {
  it('is waited for while it is fast enough ever to end', async () => {
    const { attempt, asked } = await fetched(slow);
    await attempt;
    expect(asked()).toEqual([1]);
  });

  it('is given up where it drips, and leaves nothing behind', async () => {
    const { attempt, target } = await fetched(drip);
    await expect(attempt).rejects.toMatchObject({
      code: 'NETWORK_TIMEOUT',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ sends less than 4 kB a second$/),
    });
    await expect(stat(target)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
