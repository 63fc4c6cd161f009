import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient, type NetworkOptions } from '#http/client.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { cutAfter, serve } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { HttpProxy } from '../../../faulty-server/http-proxy.ts';
import { SocksProxy } from '../../../faulty-server/socks-proxy.ts';

const authority = new CertificateAuthority();
const content = Buffer.from('content');
const closing: Array<{ close(): Promise<void> }> = [];
let plain: FaultyServer;
let secure: FaultyServer;

beforeEach(async () => {
  plain = closeLater(await FaultyServer.start({ '/a': serve(content) }));
  const tls = authority.issue();
  secure = closeLater(await FaultyServer.start({ '/a': serve(content) }, { tls }));
});

afterEach(async () => {
  await Promise.all(closing.splice(0).map((thing) => thing.close()));
});

function closeLater<T extends { close(): Promise<void> }>(thing: T): T {
  closing.push(thing);
  return thing;
}

function clientWith(options: NetworkOptions): HttpClient {
  return closeLater(new HttpClient({ env: {}, ca: authority.cert, ...options }));
}

const read = async (client: HttpClient, url: URL) =>
  (await client.send({ url })).bytes(100).then(String);

describe('an HTTP proxy', () => {
  it('tunnels https', async () => {
    const proxy = closeLater(await HttpProxy.start());
    expect(await read(clientWith({ proxy: proxy.url }), secure.url('/a'))).toBe('content');
    expect(proxy.asked).toEqual([`CONNECT ${secure.host}`]);
  });

  it('forwards http without a tunnel, because many proxies reject CONNECT to port 80', async () => {
    const proxy = closeLater(await HttpProxy.start());
    expect(await read(clientWith({ proxy: proxy.url }), plain.url('/a?b'))).toBe('content');
    expect(proxy.asked).toEqual([`GET ${plain.origin}/a?b`]);
  });

  it('receives the percent-decoded user and password, for http and https', async () => {
    const proxy = closeLater(await HttpProxy.start({ login: 'us er:p@ss:word' }));
    const url = proxy.url.replace('//', '//us%20er:p%40ss%3Aword@');
    const client = clientWith({ proxy: url });
    expect(await read(client, secure.url('/a'))).toBe('content');
    expect(await read(client, plain.url('/a'))).toBe('content');
    for (const { headers } of [...plain.seen(), ...secure.seen()]) {
      expect(headers['proxy-authorization']).toBeUndefined();
    }
  });

  it('does not receive the credentials of a tunnelled request', async () => {
    const proxy = closeLater(await HttpProxy.start());
    const client = clientWith({ proxy: proxy.url });
    const response = await client.send({ url: secure.url('/a'), authorization: 'Bearer x' });
    await response.discard();
    expect(secure.seen()[0]?.headers.authorization).toBe('Bearer x');
    expect(proxy.asked.join()).not.toContain('Bearer');
  });

  it('from the environment is not used for loopback', async () => {
    const proxy = closeLater(await HttpProxy.start());
    const env = { http_proxy: proxy.url, HTTPS_PROXY: proxy.url };
    const client = clientWith({ env });
    expect(await read(client, plain.url('/a'))).toBe('content');
    expect(await read(client, secure.url('/a'))).toBe('content');
    expect(proxy.asked).toEqual([]);
  });

  it('from the environment is used for all other hosts', async () => {
    const proxy = closeLater(await HttpProxy.start({ refusal: 403 }));
    const client = clientWith({ env: { HTTPS_PROXY: proxy.url, NO_PROXY: 'other.example' } });
    const url = new URL('https://registry.example/v2/');
    await expect(client.send({ url })).rejects.toMatchObject({ code: 'NETWORK_PROXY' });
    expect(proxy.asked).toEqual(['CONNECT registry.example:443']);
  });
});

describe('a proxy that fails', () => {
  const url = new URL('https://registry.example/v2/?token=secret');
  const failure = async (client: HttpClient, target = url) =>
    client.send({ url: target }).then(
      () => expect.unreachable('the request succeeded'),
      (error: unknown) => error,
    );

  it('requires another login: the message contains no part of the given one', async () => {
    const proxy = closeLater(await HttpProxy.start({ login: 'user:right' }));
    const client = clientWith({ proxy: proxy.url.replace('//', '//user:wrong@') });
    const expected = {
      code: 'NETWORK_PROXY',
      status: 407,
      transient: false,
      message: expect.stringMatching(
        /the proxy 127\.0\.0\.1:\d+ cannot reach .*authentication failed$/,
      ),
      hint: expect.stringContaining('user name and password'),
    };
    expect(await failure(client)).toMatchObject(expected);
    expect(await failure(client, plain.url('/a'))).toMatchObject(expected);
    expect(String(await failure(client))).not.toMatch(/wrong|secret/);
  });

  it.each([
    [403, false],
    [502, true],
  ])('responds with %i: retriable is %s', async (status, transient) => {
    const proxy = closeLater(await HttpProxy.start({ refusal: status }));
    expect(await failure(clientWith({ proxy: proxy.url }))).toMatchObject({
      code: 'NETWORK_PROXY',
      message: expect.stringContaining(`status ${status}`),
      status,
      transient,
    });
  });

  it('reports a proxy that is not running', async () => {
    const proxy = await HttpProxy.start();
    await proxy.close();
    const client = clientWith({ proxy: proxy.url });
    const expected = { code: 'NETWORK_PROXY', message: expect.stringContaining('refused') };
    expect(await failure(client)).toMatchObject(expected);
    expect(await failure(client, plain.url('/a'))).toMatchObject(expected);
  });

  it('accepts the request and does not respond', async () => {
    const proxy = closeLater(await HttpProxy.start({ silent: true }));
    const client = clientWith({ proxy: proxy.url, timeouts: { headers: 200 } });
    expect(await failure(client)).toMatchObject({ code: 'NETWORK_TIMEOUT' });
  });

  it('does not hide an untrusted certificate of the server', async () => {
    const proxy = closeLater(await HttpProxy.start());
    const client = clientWith({ proxy: proxy.url, ca: undefined });
    expect(await failure(client, secure.url('/a'))).toMatchObject({ code: 'NETWORK_TLS' });
  });

  it('does not hide a lost connection of the server', async () => {
    const proxy = closeLater(await HttpProxy.start());
    secure.answer({ '/a': cutAfter(3, content) });
    const response = await clientWith({ proxy: proxy.url }).send({ url: secure.url('/a') });
    await expect(response.bytes(100)).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
  });
});

describe('a SOCKS5 proxy', () => {
  it.each(['socks5', 'socks5h'])('with the scheme %s forwards http and https', async (scheme) => {
    const proxy = closeLater(await SocksProxy.start());
    const client = clientWith({ proxy: `${scheme}://${proxy.host}` });
    expect(await read(client, plain.url('/a'))).toBe('content');
    expect(await read(client, secure.url('/a'))).toBe('content');
    expect(proxy.asked).toEqual([plain.host, secure.host]);
  });

  it('resolves names', async () => {
    const names = { 'registry.example': '127.0.0.1' };
    const proxy = closeLater(await SocksProxy.start({ names }));
    const client = clientWith({ proxy: `socks5://${proxy.host}` });
    const url = new URL(`http://registry.example:${plain.url('/').port}/a`);
    expect(await read(client, url)).toBe('content');
  });

  it('receives user name and password', async () => {
    const proxy = closeLater(await SocksProxy.start({ login: 'user:p@ss' }));
    const client = clientWith({ proxy: `socks5://user:p%40ss@${proxy.host}` });
    expect(await read(client, plain.url('/a'))).toBe('content');
  });

  it('that requires another login is reported', async () => {
    const proxy = closeLater(await SocksProxy.start({ login: 'user:right' }));
    const client = clientWith({ proxy: `socks5://user:wrong@${proxy.host}` });
    await expect(read(client, plain.url('/a'))).rejects.toMatchObject({
      code: 'NETWORK_PROXY',
      message: expect.stringContaining('authentication failed'),
    });
  });

  it('that cannot reach the host is reported', async () => {
    const proxy = closeLater(await SocksProxy.start());
    const client = clientWith({ proxy: `socks5://${proxy.host}` });
    await expect(read(client, new URL('http://nowhere.example/'))).rejects.toMatchObject({
      code: 'NETWORK_PROXY',
      message: expect.stringContaining('it rejected the connection'),
    });
  });
});
