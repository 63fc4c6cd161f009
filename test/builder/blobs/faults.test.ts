import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import {
  cutOnceRead,
  endless,
  html,
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
} from '../../faulty-server/faults.ts';
import type { Handler } from '../../faulty-server/faulty-server.ts';
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

describe('a connection that is cut', () => {
  it('is gone on from where it ended, and nothing is fetched twice', async () => {
    await fetchFrom(inTurn(cutAt(600_000), serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-']);
    expect(rig.statistics).toMatchObject({ fetched: bytes.length, hashed: bytes.length });
    expect(rig.notes).toEqual([expect.stringContaining('a layer: ')]);
    expect(rig.rows).toMatchObject([{ advanced: bytes.length, isEnded: true }]);
  });

  it('may be cut any number of times, as long as each brings a good piece', async () => {
    await fetchFrom(cutAt(100_000));
    expect(rig.server.seen()).toHaveLength(15);
  });

  it('is given up after five that bring next to nothing, and the bytes are kept', async () => {
    expect(await refused(cutAt(10))).toMatchObject({ code: 'NETWORK_UNREACHABLE' });
    expect(rig.ranges()).toEqual([undefined, 10, 20, 30, 40].map(asRange));
    expect(Object.values(await rig.partials())).toEqual([bytes.subarray(0, 50)]);
  });

  it('before any byte is no reason to give up either', async () => {
    const cut: Handler = ({ request }) => void request.socket.destroy();
    await fetchFrom(inTurn(cut, cut, serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, undefined, undefined]);
  });

  it('and that stalls instead of ending is cut by us', async () => {
    const impatient = new HttpClient({ env: {}, timeouts: { body: 200 } });
    rig.server.answer({ '/blob': inTurn(stallAfter(600_000, bytes), serve(bytes)) });
    const download = rig.download(bytes);
    await rig.downloader.fetch({
      ...download,
      open: (from) =>
        impatient.request({
          url: rig.server.url('/blob'),
          headers: from > 0 ? { range: `bytes=${from}-` } : {},
        }),
    });
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-']);
    await impatient.close();
  });
});

describe('a server that cannot begin in the middle', () => {
  const cut = cutAt(600_000);

  it('and answers with everything is passed over until the place', async () => {
    await fetchFrom(inTurn(cut, serve(bytes, { ranges: false })));
    expect(rig.statistics).toMatchObject({ fetched: 2_100_000, hashed: 1_500_000 });
    expect(rig.rows).toMatchObject([{ advanced: bytes.length }]);
  });

  it('and answers with another place is asked for everything', async () => {
    await fetchFrom(inTurn(cut, wrongContentRange(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-', undefined]);
  });

  it('and answers with a place before the one asked for is asked for everything', async () => {
    await fetchFrom(inTurn(cut, wrongContentRange(bytes, -1)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-', undefined]);
  });

  it('and answers with a part of something of another size is asked for everything', async () => {
    const other = status(206, { 'content-range': 'bytes 600000-600003/600004' }, 'oops');
    await fetchFrom(inTurn(cut, other, serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-', undefined]);
  });

  it('and says so with 416 is asked for everything', async () => {
    await fetchFrom(inTurn(cut, rangeNotSatisfiable(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-', undefined]);
  });

  it('is not asked for a range again', async () => {
    await fetchFrom(inTurn(cut, status(416), cutAt(700_000), serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-', undefined, undefined]);
  });

  it('and answers 206 without a Content-Range to a request for everything is refused', async () => {
    expect(await refused(status(206, {}, 'x'))).toMatchObject({ code: 'HTTP_STATUS' });
  });

  it('and ends a part early is asked for the rest', async () => {
    const end = 900_000;
    const part: Handler = ({ response }) => {
      const headers = { 'content-range': `bytes 600000-${end - 1}/${bytes.length}` };
      response.writeHead(206, headers).end(bytes.subarray(600_000, end));
    };
    await fetchFrom(inTurn(cut, part, serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, 600_000, end].map(asRange));
  });
});

describe('a server that asks for patience', () => {
  it('with 503 twice gets it', async () => {
    await fetchFrom(inTurn(status(503), status(503), serve(bytes)));
    expect(rig.pauses).toHaveLength(2);
  });

  it('with 429 gets as much as it asks for', async () => {
    await fetchFrom(inTurn(tooManyRequests('17'), serve(bytes)));
    expect(rig.pauses).toEqual([17_000]);
  });

  it('for ever is given up', async () => {
    expect(await refused(tooManyRequests())).toMatchObject({ code: 'REGISTRY_RATE_LIMIT' });
    expect(rig.server.seen()).toHaveLength(5);
    expect(await rig.partials()).toEqual({});
  });
});

describe('an answer that will not get better', () => {
  it.each([
    ['401 for ever', unauthorized(), 'HTTP_STATUS'],
    ['404', status(404), 'HTTP_STATUS'],
    ['416 to everything', status(416), 'HTTP_STATUS'],
    ['204', status(204), 'HTTP_STATUS'],
    ['a redirect loop', redirect('/blob'), 'HTTP_REDIRECT'],
  ])('is %s', async (_kind, handler, code) => {
    expect(await refused(handler)).toMatchObject({ code });
    expect(rig.server.seen()).toHaveLength(1);
    expect(await rig.partials()).toEqual({});
  });
});

describe('wrong content', () => {
  it('is refused and not kept', async () => {
    expect(await refused(wrongBytes(bytes))).toMatchObject({
      code: 'BLOB_DIGEST',
      message: expect.stringMatching(/^a layer is not what it should be: .*sha256:[0-9a-f]{64}$/),
    });
    expect(rig.server.seen()).toHaveLength(1);
    expect(await rig.partials()).toEqual({});
  });

  it('after a cut is refused too: both halves count', async () => {
    const error = await refused(inTurn(cutAt(600_000), wrongBytes(bytes)));
    expect(error).toMatchObject({ code: 'BLOB_DIGEST' });
    expect(await rig.partials()).toEqual({});
  });

  it('of a login page of just the right size is named as one', async () => {
    const page = html('x'.repeat(bytes.length));
    expect(await refused(page)).toMatchObject({
      code: 'BLOB_DIGEST',
      hint: expect.stringContaining('HTML page'),
    });
  });
});

describe('a body of the wrong length', () => {
  it('that announces too much is refused unread', async () => {
    const error = await refused(serve(Buffer.concat([bytes, Buffer.from('x')])));
    expect(error).toMatchObject({
      code: 'BLOB_SIZE',
      message: 'a layer is larger than the 1500000 bytes that it should have',
    });
    expect(rig.statistics.fetched).toBe(0);
    expect(await rig.partials()).toEqual({});
  });

  it('that never ends is refused at the first byte too many', async () => {
    expect(await refused(endless())).toMatchObject({ code: 'BLOB_SIZE' });
    expect(rig.statistics.fetched).toBeLessThan(bytes.length + 200_000);
    expect(rig.server.seen()).toHaveLength(1);
    expect(await rig.partials()).toEqual({});
  });

  it('that is too short is asked for again, then refused and not kept', async () => {
    const error = await refused(short(1_000, bytes, { ranges: false }));
    expect(error).toMatchObject({
      code: 'BLOB_SIZE',
      message: 'a layer ended after 1000 of 1500000 bytes',
    });
    expect(rig.server.seen()).toHaveLength(5);
    expect(await rig.partials()).toEqual({});
  });

  it('that is too short once is no matter', async () => {
    await fetchFrom(inTurn(short(600_000, bytes), serve(bytes)));
    expect(rig.ranges()).toEqual([undefined, 'bytes=600000-']);
  });

  it('that is a login page is named as one, and not asked for again', async () => {
    expect(await refused(html())).toMatchObject({
      code: 'BLOB_SIZE',
      hint: 'Check the network: a login page or a filter sent an HTML page instead of the blob.',
    });
    expect(rig.server.seen()).toHaveLength(1);
    expect(await rig.partials()).toEqual({});
  });
});

function asRange(from: number | undefined): string | undefined {
  return from === undefined ? undefined : `bytes=${from}-`;
}
