import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import {
  cutOnceRead,
  endless,
  inTurn,
  rangeNotSatisfiable,
  redirect,
  serve,
  short,
  stallAfter,
  status,
  tooManyRequests,
  unauthorized,
  wrongBytes,
  wrongContentRange,
} from '../../../faulty-server/faults.ts';
import type { Handler } from '../../../faulty-server/faulty-server.ts';
import { contentOf, Rig } from './rig.ts';

const bytes = contentOf(1_500_000);
let rig: Rig;

beforeEach(async () => {
  rig = await Rig.start();
});

afterEach(() => rig.close());

const cutAt = (count: number) => cutOnceRead(count, bytes, () => rig.statistics.fetched);

async function fetchFrom(handler: Handler): Promise<void> {
  rig.server.answer({ '/blob': handler });
  await rig.downloader.fetch(rig.download(bytes));
  expect(await rig.stored(bytes)).toEqual(bytes);
  expect(await rig.partials()).toEqual({});
}

async function refused(handler: Handler): Promise<unknown> {
  rig.server.answer({ '/blob': handler });
  const error = await rig.downloader.fetch(rig.download(bytes)).then(
    () => expect.unreachable('it was accepted'),
    (reason: unknown) => reason,
  );
  await expect(rig.stored(bytes)).rejects.toThrow('ENOENT');
  return error;
}

describe('a lost connection', () => {
  it('resumes a lost connection from its end without duplicate downloads', async () => {
    await fetchFrom(inTurn(cutAt(600_000), serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-']);
    expect(rig.statistics).toMatchObject({ fetched: bytes.length, hashed: bytes.length });
    expect(rig.notes).toEqual([expect.stringContaining('a layer: ')]);
    expect(rig.rows).toMatchObject([{ advanced: bytes.length, isEnded: true }]);
  });

  it('may be lost any number of times if each attempt makes progress', async () => {
    await fetchFrom(cutAt(100_000));
    expect(rig.server.seen()).toHaveLength(15);
  });

  it('fails after five attempts without progress, and keeps the bytes', async () => {
    expect(await refused(cutAt(10))).toMatchObject({ code: 'NETWORK_UNREACHABLE' });
    expect(rig.ranges()).toEqual([undefined, 10, 20, 30, 40].map(asRange));
    expect(Object.values(await rig.partials())).toEqual([bytes.subarray(0, 50)]);
  });

  it('retries a lost connection before the first byte', async () => {
    const cut: Handler = ({ request }) => void request.socket.destroy();
    await fetchFrom(inTurn(cut, cut, serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, undefined, undefined]);
  });

  it('closes a connection that exceeds the stall timeout, and resumes the download', async () => {
    const impatient = new HttpClient({ env: {}, timeouts: { body: 200 } });
    rig.server.answer({ '/blob': inTurn(stallAfter(600_000, bytes), serve(bytes)) });
    const download = rig.download(bytes);
    await rig.downloader.fetch({
      ...download,
      open: (from) =>
        impatient.send({
          url: rig.server.url('/blob'),
          headers: from > 0 ? { range: `bytes=${from}-` } : {},
        }),
    });
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-']);
    await impatient.close();
  });
});

describe('a server without working range requests', () => {
  const cut = cutAt(600_000);

  it('that sends everything: skips the bytes that are present', async () => {
    await fetchFrom(inTurn(cut, serve(bytes, { ranges: false })));
    expect(rig.statistics).toMatchObject({ fetched: 2_100_000, hashed: 1_500_000 });
    expect(rig.rows).toMatchObject([{ advanced: bytes.length }]);
  });

  it('that starts at another position: requests everything', async () => {
    await fetchFrom(inTurn(cut, wrongContentRange(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-', undefined]);
  });

  it('that starts too early: requests everything', async () => {
    await fetchFrom(inTurn(cut, wrongContentRange(bytes, -1)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-', undefined]);
  });

  it('that sends a range of another size: requests everything', async () => {
    const other = status(206, { 'content-range': 'bytes 600000-600003/600004' }, 'oops');
    await fetchFrom(inTurn(cut, other, serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-', undefined]);
  });

  it('that responds with 416: requests everything', async () => {
    await fetchFrom(inTurn(cut, rangeNotSatisfiable(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-', undefined]);
  });

  it('rejects a server that responds with 206 but no Content-Range', async () => {
    expect(await refused(status(206, {}, 'x'))).toMatchObject({ code: 'HTTP_STATUS' });
  });

  it('that sends too little: requests the rest', async () => {
    const end = 900_000;
    const part: Handler = ({ response }) => {
      const headers = { 'content-range': `bytes 600000-${end - 1}/${bytes.length}` };
      response.writeHead(206, headers).end(bytes.subarray(600_000, end));
    };
    await fetchFrom(inTurn(cut, part, serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, 600_000, end].map(asRange));
  });
});

describe('a server that responds with Retry-After', () => {
  it('retries a download after two 503 responses', async () => {
    await fetchFrom(inTurn(status(503), status(503), serve(bytes)));
    expect(rig.pauses).toHaveLength(2);
  });

  it('retries a download after the requested delay on 429', async () => {
    await fetchFrom(inTurn(tooManyRequests('17'), serve(bytes)));
    expect(rig.pauses).toEqual([17_000]);
  });

  it('fails after the maximum number of attempts', async () => {
    expect(await refused(tooManyRequests())).toMatchObject({ code: 'REGISTRY_RATE_LIMIT' });
    expect(rig.server.seen()).toHaveLength(5);
    expect(await rig.partials()).toEqual({});
  });
});

describe('a permanent failure', () => {
  it.each([
    ['401 forever', unauthorized(), 'HTTP_STATUS'],
    ['404', status(404), 'HTTP_STATUS'],
    ['416 to everything', status(416), 'HTTP_STATUS'],
    ['204', status(204), 'HTTP_STATUS'],
    ['a redirect loop', redirect('/blob'), 'HTTP_REDIRECT'],
  ])('reports %s as a permanent failure', async (_kind, handler, code) => {
    expect(await refused(handler)).toMatchObject({ code });
    expect(rig.server.seen()).toHaveLength(1);
    expect(await rig.partials()).toEqual({});
  });
});

describe('wrong content', () => {
  it('rejects wrong content, and keeps none of it', async () => {
    expect(await refused(wrongBytes(bytes))).toMatchObject({
      code: 'BLOB_DIGEST',
      message: expect.stringMatching(/^a layer is corrupt: .*sha256:[0-9a-f]{64}$/),
    });
    expect(rig.server.seen()).toHaveLength(1);
    expect(await rig.partials()).toEqual({});
  });

  it('rejects wrong content after a resume: both parts are hashed', async () => {
    const error = await refused(inTurn(cutAt(600_000), wrongBytes(bytes)));
    expect(error).toMatchObject({ code: 'BLOB_DIGEST' });
    expect(await rig.partials()).toEqual({});
  });
});

describe('a body of the wrong length', () => {
  it('rejects a body unread if the declared length is too large', async () => {
    const error = await refused(serve(Buffer.concat([bytes, Buffer.from('x')])));
    expect(error).toMatchObject({
      code: 'BLOB_SIZE',
      message: 'a layer is larger than the expected 1500000 bytes',
    });
    expect(rig.statistics.fetched).toBe(0);
    expect(await rig.partials()).toEqual({});
  });

  it('rejects an endless body at its first extra byte', async () => {
    expect(await refused(endless())).toMatchObject({ code: 'BLOB_SIZE' });
    expect(rig.statistics.fetched).toBeLessThan(bytes.length + 200_000);
    expect(rig.server.seen()).toHaveLength(1);
    expect(await rig.partials()).toEqual({});
  });

  it('retries a body that is too short, then rejects it and keeps none of it', async () => {
    const error = await refused(short(1_000, bytes, { ranges: false }));
    expect(error).toMatchObject({
      code: 'BLOB_SIZE',
      message: 'a layer ended after 1000 of 1500000 bytes',
    });
    expect(rig.server.seen()).toHaveLength(5);
    expect(await rig.partials()).toEqual({});
  });

  it('accepts a body if only one attempt was too short', async () => {
    await fetchFrom(inTurn(short(600_000, bytes), serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-']);
  });
});

function asRange(from: number | undefined): string | undefined {
  return from === undefined ? undefined : `bytes=${from}-`;
}
