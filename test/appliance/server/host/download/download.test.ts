import { EventEmitter } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Amount } from '#contract/text/amount.ts';
import { download } from '../../../../../appliance/server/host/download/download.ts';
import type { MinimumRates } from '../../../../../appliance/server/host/download/minimum-rate.ts';
import {
  inTurn,
  rangeNotSatisfiable,
  serve,
  status,
  wrongBytes,
  wrongContentRange,
} from '../../../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../../../faulty-server/faulty-server.ts';
import { sha256 } from '../../../../simulator/bundle.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const content = Buffer.alloc(60_000, 'plugin ');
/** 20 kB/s: below the strict minimum rate, above the relaxed one. */
const slow = inSteps(2_000, 0);
const drip = inSteps(10, 0);
const rates: MinimumRates = {
  strict: { bytesPerSecond: 100_000, seconds: 0.5 },
  relaxed: { bytesPerSecond: 4_000, seconds: 0.5 },
};

/** Records the number of received bytes. */
const came = new EventEmitter();

// A fake clock, so that the tests do not depend on the speed of the machine.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends the first bytes immediately, then one chunk per tenth of a second. */
function inSteps(piece: number, first: number): Handler {
  return async ({ response }) => {
    response.writeHead(200, { 'content-length': content.length });
    const closed = new Promise((resolve) => response.once('close', resolve));
    let at = 0;
    const send = async (end: number) => {
      const arrived = new Promise<void>((resolve) => {
        const hear = (done: number) => {
          if (done < end) return;
          came.off('bytes', hear);
          resolve();
        };
        came.on('bytes', hear);
      });
      response.write(content.subarray(at, end));
      at = end;
      await Promise.race([arrived, closed]);
    };
    if (first > 0) await send(first);
    while (at < content.length && !response.destroyed) {
      vi.advanceTimersByTime(100);
      await send(Math.min(at + piece, content.length));
    }
    response.end();
  };
}

/** Closes the connection after this many received bytes. */
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

describe('a download with several sources', () => {
  it('skips a slow source if there is a fast one', async () => {
    const { attempt, target, asked } = await fetched(slow, serve(content));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    expect(asked()).toEqual([1, 1]);
  });

  it('uses a slow source if there is no other', async () => {
    const { attempt, target, asked } = await fetched(drip, slow, status(404));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    expect(asked()).toEqual([2, 2, 1]);
  });

  it('skips a source with a wrong file', async () => {
    const { attempt, target } = await fetched(wrongBytes(content), serve(content));
    await attempt;
    expect(await readFile(target)).toEqual(content);
  });
});

describe('a download with one source', () => {
  it('continues above the relaxed minimum rate', async () => {
    const { attempt, asked } = await fetched(slow);
    await attempt;
    expect(asked()).toEqual([1]);
  });

  it('fails below the minimum rate and leaves no file', async () => {
    const { attempt, target } = await fetched(drip);
    await expect(attempt).rejects.toMatchObject({
      code: 'NETWORK_TIMEOUT',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ sends less than 4\.0 kB\/s$/),
    });
    await expect(stat(target)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a download over a bad connection', () => {
  const half = content.length / 2;
  const cut = cutAt(half, content);

  it('resumes after an interruption', async () => {
    const { attempt, target, ranges } = await fetched(inTurn(cut, serve(content)));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    expect(ranges()).toEqual([[undefined, `bytes=${half}-`]]);
  });

  it('resumes at the next source', async () => {
    const { attempt, target, ranges } = await fetched(inSteps(1, half), serve(content));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    const [[first], [second]] = ranges() as [string[], string[]];
    expect(first).toBeUndefined();
    expect(Number(/^bytes=(\d+)-$/.exec(second ?? '')?.[1])).toBeGreaterThanOrEqual(half);
  });

  it.each([
    ['ignores the range', serve(content, { ranges: false })],
    ['rejects the range', inTurn(rangeNotSatisfiable(content), serve(content))],
    ['sends another range', inTurn(wrongContentRange(content), serve(content))],
  ])('restarts if the source %s', async (_, handler) => {
    const { attempt, target } = await fetched(inTurn(cut, handler));
    await attempt;
    expect(await readFile(target)).toEqual(content);
  });

  it('restarts if the file at the source has another size', async () => {
    const other = status(206, { 'content-range': `bytes ${half}-99999/100000` }, 'other');
    const { attempt, target, ranges } = await fetched(inTurn(cut, other, serve(content)));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    expect(ranges()).toEqual([[undefined, `bytes=${half}-`, undefined]]);
  });

  it('restarts if ranges of two files were mixed', async () => {
    const other = cutAt(half, Buffer.alloc(content.length, 'another'));
    const { attempt, target, ranges } = await fetched(inTurn(other, serve(content)));
    await attempt;
    expect(await readFile(target)).toEqual(content);
    expect(ranges()).toEqual([[undefined, `bytes=${half}-`, undefined]]);
  });
});
