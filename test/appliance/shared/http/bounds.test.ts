import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import {
  cutAfter,
  redirect,
  serve,
  stallAfter,
  status,
  trickle,
} from '../../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../../faulty-server/faulty-server.ts';

const content = Buffer.alloc(300_000, 'x');
let server: FaultyServer;
let client: HttpClient;

beforeEach(async () => {
  server = await FaultyServer.start({});
  client = new HttpClient({ env: {} });
});

afterEach(async () => {
  await client.close();
  await server.close();
});

const get = () => client.send({ url: server.url('/a') });

describe('the connection limit per host', () => {
  it('delays further requests, and serves all of them in the end', async () => {
    server.answer(trickle(content, 100_000, 2));
    const all = Array.from({ length: 40 }, async () => (await (await get()).bytes(1e6)).length);
    expect(await Promise.all(all)).toEqual(Array(40).fill(content.length));
    expect(server.peak).toBe(4);
  });

  it('limits connections separately for each host', async () => {
    const other = await FaultyServer.start(stallAfter(1, content));
    server.answer(stallAfter(1, content));
    const four = <T>(open: () => T) => Array.from({ length: 4 }, open);
    const requests = [...four(get), ...four(() => client.send({ url: other.url('/') }))];
    expect((await Promise.all(requests)).map((response) => response.status)).toEqual(
      Array(8).fill(200),
    );
    await other.close();
  });

  it('keeps a slot for small responses beside large ones', async () => {
    server.answer({ '/large': stallAfter(1, content), '/small': serve(Buffer.from('x')) });
    const large = () => client.send({ url: server.url('/large'), expectedBytes: 1e9 });
    await Promise.all([large(), large(), large()]);
    void large().catch(() => {});
    const small = await client.send({ url: server.url('/small') });
    expect((await small.bytes(1)).toString()).toBe('x');
    expect(server.seen('/large')).toHaveLength(3);
  });
});

describe('a slot is released after a response', () => {
  /** Runs a request ten times with four slots: a leaked slot would block the fifth request. */
  const tenTimes = async (handler: Handler, use: (path: string) => Promise<unknown>) => {
    server.answer({ '/a': handler, '/b': serve(content) });
    for (let round = 0; round < 10; round += 1) await use('/a');
    expect(server.seen('/a')).toHaveLength(10);
  };
  const request = (path: string) => client.send({ url: server.url(path) });

  it('that was discarded', async () => {
    await tenTimes(serve(content), async (path) => (await request(path)).discard());
  });

  it('that was partially read', async () => {
    await tenTimes(serve(content), async (path) => {
      for await (const chunk of (await request(path)).body) if (chunk.length > 0) break;
    });
  });

  it('with a lost connection', async () => {
    await tenTimes(cutAfter(10, content), async (path) => {
      await expect((await request(path)).bytes(1e6)).rejects.toThrow('the connection was lost');
    });
  });

  it('that was too large', async () => {
    await tenTimes(serve(content), async (path) => {
      await expect((await request(path)).bytes(10)).rejects.toThrow('larger');
    });
  });

  it('that was not read because of its status', async () => {
    await tenTimes(status(401, {}, 'x'.repeat(200_000)), request);
  });

  it('that was empty and not read', async () => {
    await tenTimes(status(200, { 'content-length': '0' }), request);
  });

  it('to HEAD that was not read', async () => {
    await tenTimes(serve(content), (path) =>
      client.send({ url: server.url(path), method: 'HEAD' }),
    );
  });

  it('that was a redirect with a body', async () => {
    await tenTimes(status(302, { location: '/b' }, 'moved'.repeat(1000)), async (path) =>
      (await request(path)).discard(),
    );
  });

  it('that was part of a redirect loop', async () => {
    await tenTimes(redirect('/a'), async (path) => {
      await expect(request(path)).rejects.toMatchObject({ code: 'HTTP_REDIRECT' });
    });
  });

  it('that was cancelled', async () => {
    await tenTimes(stallAfter(1, content), async (path) => {
      const controller = new AbortController();
      const url = server.url(path);
      const response = await client.send({ url, signal: controller.signal });
      controller.abort(new Error('enough'));
      await expect(response.bytes(1e6)).rejects.toThrow('enough');
    });
  });
});

describe('a request that waits for a slot', () => {
  it('can be cancelled and leaves the queue', async () => {
    server.answer({ '/a': stallAfter(1, content) });
    const held = await Promise.all([get(), get(), get(), get()]);
    const controller = new AbortController();
    const waiting = client.send({ url: server.url('/a'), signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    for (const response of held) for await (const chunk of response.body) if (chunk) break;
    expect((await get()).status).toBe(200);
  });

  it('causes no warning about listeners if many requests share a signal', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    server.answer(serve(content));
    const { signal } = new AbortController();
    const requests = Array.from({ length: 50 }, async () =>
      (await client.send({ url: server.url('/a'), signal })).discard(),
    );
    await Promise.all(requests);
    await new Promise(setImmediate);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});
