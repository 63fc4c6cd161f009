import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { cutAfter, endless, serve, stallAfter, status } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';

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

describe('a request', () => {
  it('returns the status, the URL, the body, and headers in any letter case', async () => {
    server.answer({ '/a': serve(Buffer.from('hello'), { headers: { 'X-Thing': 'one' } }) });
    const response = await client.send({ url: server.url('/a?b=1') });
    expect(response.status).toBe(200);
    expect(response.url.href).toBe(`${server.origin}/a?b=1`);
    expect(response.header('x-THING')).toBe('one');
    expect(response.header('x-other')).toBeUndefined();
    expect((await response.bytes(5)).toString()).toBe('hello');
  });

  it('returns any final status instead of throwing an error', async () => {
    server.answer({ '/a': status(418, {}, 'short and stout') });
    const response = await client.send({ url: server.url('/a') });
    expect(response.status).toBe(418);
    expect((await response.bytes(100)).toString()).toBe('short and stout');
  });

  it('joins repeated headers', async () => {
    server.answer(({ response }) => {
      response.writeHead(401, { 'www-authenticate': ['Basic realm="a"', 'Bearer realm="b"'] });
      response.end();
    });
    const response = await client.send({ url: server.url('/') });
    expect(response.header('www-authenticate')).toBe('Basic realm="a", Bearer realm="b"');
  });

  it('returns no body for a HEAD request', async () => {
    server.answer({ '/a': serve(Buffer.alloc(100_000)) });
    const response = await client.send({ url: server.url('/a'), method: 'HEAD' });
    expect(response.header('content-length')).toBe('100000');
    expect(await response.bytes(0)).toHaveLength(0);
  });

  it('requests uncompressed bytes, and returns compressed ones unchanged', async () => {
    const packed = Buffer.from('1f8b0800', 'hex');
    server.answer({ '/a': serve(packed, { headers: { 'content-encoding': 'gzip' } }) });
    const response = await client.send({ url: server.url('/a') });
    expect(await response.bytes(10)).toEqual(packed);
    expect(server.seen()[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('sends headers and credentials as given, but no credentials of the URL', async () => {
    server.answer({ '/a': status(200) });
    const url = server.url('/a');
    url.username = 'user';
    url.password = 'secret';
    const first = await client.send({ url, headers: { accept: 'text/plain' } });
    expect(first.url.href).toBe(`${server.origin}/a`);
    await client.send({ url, authorization: 'Bearer token' });
    expect(server.seen()[0]?.headers).toMatchObject({ accept: 'text/plain' });
    expect(server.seen()[0]?.headers.authorization).toBeUndefined();
    expect(server.seen()[1]?.headers.authorization).toBe('Bearer token');
  });
});

describe('an oversized body', () => {
  const refusal = { code: 'BLOB_SIZE', message: expect.stringContaining('larger than 10 bytes') };

  it('rejects an oversized body by its declared length', async () => {
    server.answer({ '/a': serve(Buffer.alloc(11)) });
    const response = await client.send({ url: server.url('/a') });
    await expect(response.bytes(10)).rejects.toMatchObject(refusal);
  });

  it('rejects an oversized body while reading, if it declares no length', async () => {
    server.answer({ '/a': endless() });
    const response = await client.send({ url: server.url('/a') });
    await expect(response.bytes(10)).rejects.toMatchObject(refusal);
  });

  it('rejects an oversized body in an error response too', async () => {
    server.answer({ '/a': status(404, {}, 'x'.repeat(11)) });
    const response = await client.send({ url: server.url('/a') });
    await expect(response.bytes(10)).rejects.toMatchObject(refusal);
  });
});

describe('a failed transfer', () => {
  it('reports a lost connection with the host', async () => {
    server.answer({ '/a': cutAfter(10, Buffer.alloc(100)) });
    const response = await client.send({ url: server.url('/a') });
    await expect(response.bytes(100)).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: `${server.host} is unreachable: the connection was lost`,
    });
  });

  it('times out if the body stalls', async () => {
    const withTimeout = new HttpClient({ env: {}, timeouts: { body: 200 } });
    server.answer({ '/a': stallAfter(10, Buffer.alloc(100)) });
    const response = await withTimeout.send({ url: server.url('/a') });
    await expect(response.bytes(100)).rejects.toMatchObject({
      code: 'NETWORK_TIMEOUT',
      message: expect.stringContaining('stalled'),
    });
    await withTimeout.close();
  });

  it('times out without a response', async () => {
    const withTimeout = new HttpClient({ env: {}, timeouts: { headers: 200 } });
    server.answer(() => {});
    await expect(withTimeout.send({ url: server.url('/a') })).rejects.toMatchObject({
      code: 'NETWORK_TIMEOUT',
      message: expect.stringContaining('the response timed out'),
    });
    await withTimeout.close();
  });

  it('reports a refused connection', async () => {
    await server.close();
    await expect(client.send({ url: server.url('/a?secret=1') })).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: `${server.host} is unreachable: connection refused`,
      hint: expect.stringContaining('--proxy'),
    });
  });

  it('reports a response that is not HTTP', async () => {
    server.answer(({ request }) => void request.socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    await expect(client.send({ url: server.url('/') })).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: expect.stringContaining('the response is not HTTP'),
      transient: false,
    });
  });

  it('rejects endless headers', async () => {
    server.answer(({ request }) => {
      request.socket.write('HTTP/1.1 200 OK\r\n');
      for (let line = 0; line < 2000; line += 1) request.socket.write(`x-${line}: ${line}\r\n`);
    });
    await expect(client.send({ url: server.url('/') })).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: expect.stringContaining('response header is too large'),
    });
  });
});

describe('a discarded body', () => {
  it('aborts a concurrent read', async () => {
    server.answer({ '/a': stallAfter(0, Buffer.alloc(100)) });
    const response = await client.send({ url: server.url('/a') });
    const reading = response.bytes(100);
    await response.discard();
    await expect(reading).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
  });

  it('skips the download of a large discarded body', async () => {
    server.answer({ '/a': stallAfter(10, Buffer.alloc(100_000)) });
    const response = await client.send({ url: server.url('/a') });
    await response.discard();
    await expect(response.bytes(100_000)).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
  });
});

describe('a cancelled request', () => {
  const reason = new Error('the user pressed Ctrl-C');

  it('ends before the response', async () => {
    const controller = new AbortController();
    server.answer(() => controller.abort(reason));
    const request = client.send({ url: server.url('/a'), signal: controller.signal });
    await expect(request).rejects.toBe(reason);
  });

  it('ends while the body is read', async () => {
    server.answer({ '/a': stallAfter(10, Buffer.alloc(100)) });
    const controller = new AbortController();
    const { signal } = controller;
    const response = await client.send({ url: server.url('/a'), signal });
    const reading = response.bytes(100);
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it('sends no request that was cancelled before', async () => {
    server.answer({ '/a': status(200) });
    const signal = AbortSignal.abort(reason);
    await expect(client.send({ url: server.url('/a'), signal })).rejects.toBe(reason);
    expect(server.seen()).toHaveLength(0);
  });
});
