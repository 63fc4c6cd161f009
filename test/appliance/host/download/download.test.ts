import { EventEmitter } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { download } from '../../../../appliance/host/download/download.ts';
import type { MinimumRates } from '../../../../appliance/host/download/fastest-source.ts';
import type { Amount } from '../../../../appliance/stage/reporter.ts';
import {
  inTurn,
  rangeNotSatisfiable,
  serve,
  status,
  wrongBytes,
  wrongContentRange,
} from '../../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../../faulty-server/faulty-server.ts';
import { sha256 } from '../../../simulator/bundle.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const content = Buffer.alloc(60_000, 'plugin ');
/** 20 kB a second: too slow to be the first choice here, fast enough to be the last. */
const slow = inSteps(2_000, 0);
const drip = inSteps(10, 0);
const rates: MinimumRates = {
  strict: { bytesPerSecond: 100_000, seconds: 0.5 },
  relaxed: { bytesPerSecond: 4_000, seconds: 0.5 },
};

/** Hears how many bytes have come. */
const came = new EventEmitter();

// A tenth of a second passes when a test says so, however long the machine takes.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The first bytes at once, then a piece a tenth of a second, each once the last one has come. */
function inSteps(piece: number, first: number): Handler {
  return async ({ response }) => {
    response.writeHead(200, { 'content-length': content.length });
    let at = 0;
    const send = async (end: number) => {
      const arrived = new Promise<void>((resolve) => {
        const hear = (done: number) => {
          if (done < end) return;
          came.off('bytes', hear);
          resolve();
        };
        came.on('bytes', hear);
        response.once('close', resolve);
      });
      response.write(content.subarray(at, end));
      at = end;
      await arrived;
    };
    if (first > 0) await send(first);
    while (at < content.length && !response.destroyed) {
      vi.advanceTimersByTime(100);
      await send(Math.min(at + piece, content.length));
    }
    response.end();
  };
}

/** A line that is cut once so many bytes have come: what is still on its way then may be lost. */
const cutAt =
  (count: number, bytes: Buffer): Handler =>
  ({ request, response }) => {
    response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, count));
    came.on('bytes', (done) => done === count && request.socket.destroy());
  };

const running: FaultyServer[] = [];
afterEach(async () => {
  came.removeAllListeners();
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
  const listener = { say: () => {}, progress: ({ done }: Amount) => came.emit('bytes', done) };
  const { site } = contextFor(host);
  const attempt = download(host, site, wanted, target, listener, rates);
  const ranges = () =>
    places.map((place) => place.seen('/plugin').map(({ headers }) => headers.range));
  return { attempt, target, ranges, asked: () => ranges().map(({ length }) => length) };
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
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ sends less than 4\.0 kB\/s$/),
    });
    await expect(stat(target)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a download over a bad line', () => {
  const half = content.length / 2;
  const cut = cutAt(half, content);

  it('goes on where it was cut', async () => {
    const { attempt, target, ranges } = await fetched(inTurn(cut, serve(content)));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    expect(ranges()).toEqual([[undefined, `bytes=${half}-`]]);
  });

  it('goes on at the next place', async () => {
    const { attempt, target, ranges } = await fetched(inSteps(1, half), serve(content));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    const [[first], [second]] = ranges() as [string[], string[]];
    expect(first).toBeUndefined();
    expect(Number(/^bytes=(\d+)-$/.exec(second ?? '')?.[1])).toBeGreaterThanOrEqual(half);
  });

  it.each([
    ['sends all of it again', serve(content, { ranges: false })],
    ['says that there is nothing more', inTurn(rangeNotSatisfiable(content), serve(content))],
    ['sends another piece', inTurn(wrongContentRange(content), serve(content))],
  ])('begins anew where the place %s', async (_, handler) => {
    const { attempt, target } = await fetched(inTurn(cut, handler));
    await attempt;
    expect(await readFile(target)).toEqual(content);
  });

  it('begins anew where the place continues a file of another size', async () => {
    const other = status(206, { 'content-range': `bytes ${half}-99999/100000` }, 'other');
    const { attempt, target, ranges } = await fetched(inTurn(cut, other, serve(content)));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    expect(ranges()).toEqual([[undefined, `bytes=${half}-`, undefined]]);
  });

  it('begins anew where pieces of two files have met', async () => {
    const other = cutAt(half, Buffer.alloc(content.length, 'another'));
    const { attempt, target, ranges } = await fetched(inTurn(other, serve(content)));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    expect(ranges()).toEqual([[undefined, `bytes=${half}-`, undefined]]);
  });
});
