import { afterEach, describe, expect, it } from 'vitest';
import { formatError } from '#contract/text/error.ts';
import { fetchSubscription, readSubscriptionInfo } from '#proxies/subscription.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import {
  endless,
  inTurn,
  redirect,
  serve,
  silence,
  status,
} from '../../../faulty-server/faults.ts';
import { FaultyServer, type Routes } from '../../../faulty-server/faulty-server.ts';
import { HttpProxy } from '../../../faulty-server/http-proxy.ts';

const authority = new CertificateAuthority();
const list = Buffer.from('trojan://x@hk.example:443');
const token = 'S3cr3t-t0ken';

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(close.map((each) => each()));
  close = [];
});

async function start(routes: Routes): Promise<FaultyServer> {
  const server = await FaultyServer.start(routes, { tls: authority.issue() });
  close.push(() => server.close());
  return server;
}

const fetchFrom = (url: string, env = {}, timeout = 20_000) =>
  fetchSubscription(url, { network: { ca: authority.cert, env }, note: () => {}, timeout });

async function errorOf(url: string, timeout?: number) {
  const error = await fetchFrom(url, {}, timeout).then(
    () => expect.unreachable('it was fetched'),
    (reason: unknown) => reason,
  );
  expect(formatError(error)).not.toContain(token);
  return error as { code: string; message: string };
}

describe('a subscription', () => {
  it('fetches a subscription and its headers with a user agent that providers answer to', async () => {
    const server = await start({
      [`/${token}`]: ({ response }) => {
        response.writeHead(200, {
          'subscription-userinfo': 'upload=1; download=2; total=1073741824; expire=1900000000',
          'profile-update-interval': '24',
          'content-disposition': `attachment; filename*=UTF-8''%E9%A6%99%E6%B8%AF`,
        });
        response.end(list);
      },
    });
    const { bytes, info } = await fetchFrom(server.url(`/${token}`).href);
    expect(Buffer.from(bytes)).toEqual(list);
    expect(info).toEqual({
      ...{ upload: 1, download: 2, total: 1_073_741_824, expire: 1_900_000_000 },
      ...{ updateInterval: 24, name: '香港' },
    });
    expect(server.seen()[0]?.headers['user-agent']).toMatch(/landfall.*mihomo.*clash.*sing-box/);
  });

  it('sends the name of another client on request, and no other header with it', async () => {
    const server = await start({ '/': serve(list) });
    const options = { network: { ca: authority.cert }, note: () => {}, timeout: 20_000 };
    const url = server.url('/').href;
    await fetchSubscription(url, { ...options, userAgent: 'clash-verge/v2.0' });
    expect(server.seen()[0]?.headers['user-agent']).toBe('clash-verge/v2.0');
    const hostile = fetchSubscription(url, { ...options, userAgent: 'a\r\nx: y' });
    await expect(hostile).rejects.toMatchObject({ code: 'USAGE' });
    expect(server.seen()).toHaveLength(1);
  });

  it('uses the proxy of the environment', async () => {
    const proxy = await HttpProxy.start({ names: { 'sub.example': '127.0.0.1' } });
    close.push(() => proxy.close());
    const server = await FaultyServer.start(
      { '/': serve(list) },
      { tls: authority.issue({ names: ['sub.example'] }) },
    );
    close.push(() => server.close());
    const url = server.url('/').href.replace('127.0.0.1', 'sub.example');
    await fetchFrom(url, { HTTPS_PROXY: proxy.url });
    expect(proxy.asked).toEqual([`CONNECT ${new URL(url).host}`]);
  });

  it('fetches a subscription again after a temporary failure', async () => {
    const server = await start({ '/': inTurn(status(503), serve(list)) });
    expect(Buffer.from((await fetchFrom(server.url('/').href)).bytes)).toEqual(list);
  });

  it('sends the login of the URL as a header', async () => {
    const server = await start({ '/': serve(list) });
    await fetchFrom(server.url('/').href.replace('//', `//me:${token}@`));
    expect(server.seen()[0]?.headers.authorization).toBe(`Basic ${btoa(`me:${token}`)}`);
  });
});

describe('a redirect of a subscription', () => {
  it('rejects a redirect of a subscription from a public host into the network of this computer', async () => {
    const proxy = await HttpProxy.start({ names: { 'sub.example': '127.0.0.1' } });
    close.push(() => proxy.close());
    const server = await FaultyServer.start(
      { [`/${token}`]: redirect('https://169.254.169.254/latest/') },
      { tls: authority.issue({ names: ['sub.example'] }) },
    );
    close.push(() => server.close());
    const url = server.url(`/${token}`).href.replace('127.0.0.1', 'sub.example');
    const error = await fetchFrom(url, { HTTPS_PROXY: proxy.url }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'HTTP_REDIRECT' });
    expect(formatError(error)).not.toContain(token);
    expect(proxy.asked).toEqual([`CONNECT ${new URL(url).host}`]);
  });
});

describe('a failed fetch names only the host', () => {
  it.each<[string, Routes[string], string]>([
    ['an expired URL', status(403), 'HTTP_STATUS'],
    ['a redirect to http', redirect('http://127.0.0.1:9/'), 'HTTP_REDIRECT'],
    ['a redirect to itself', redirect(`/${token}?${token}`), 'HTTP_REDIRECT'],
    ['an endless response', endless(), 'BLOB_SIZE'],
  ])('%s', async (_what, handler, code) => {
    const server = await start({ [`/${token}`]: handler });
    const error = await errorOf(server.url(`/${token}?${token}`).href);
    expect(error.code).toBe(code);
    expect(error.message).toContain('127.0.0.1');
  });

  it('a server that does not respond', async () => {
    const server = await start({ [`/${token}`]: silence() });
    expect((await errorOf(server.url(`/${token}`).href, 300)).code).toBe('NETWORK_TIMEOUT');
  });

  it.each([
    `http://sub.example/${token}`,
    `ftp://sub.example/${token}`,
    token,
    `https://${token} x`,
  ])('another URL than https: %s', async (url) => {
    expect((await errorOf(url)).code).toBe('USAGE');
  });
});

const readInfo = (headers: Record<string, string>) =>
  readSubscriptionInfo({ header: (name) => headers[name] });

describe('the headers of a subscription', () => {
  it.each([
    ['', {}],
    ['upload=1;download=2', { upload: 1, download: 2 }],
    ['Upload=1; Download=2.5; total=1e9', { upload: 1, download: 2, total: 1_000_000_000 }],
    ['upload=-1; download=x; total=; expire=0', {}],
    ['expire=99999999999999999999', {}],
    ['constructor=1', {}],
  ])('subscription-userinfo: %s', (value, expected) => {
    expect(readInfo({ 'subscription-userinfo': value })).toEqual(expected);
  });

  it.each([
    ['attachment; filename=my.yaml', 'my.yaml'],
    ['attachment; filename="my file.yaml"', 'my file.yaml'],
    [`attachment; filename=a.yaml; filename*=UTF-8''%E6%B8%AF`, '港'],
    [`attachment; filename*=UTF-8''%zz`, '%zz'],
    ['attachment; filename="\u001b[31mred"', 'red'],
  ])('content-disposition: %s', (value, expected) => {
    expect(readInfo({ 'content-disposition': value }).name).toBe(expected);
  });

  it.each([
    ['24', 24],
    ['0', undefined],
    ['daily', undefined],
  ])('profile-update-interval: %s', (value, expected) => {
    expect(readInfo({ 'profile-update-interval': value }).updateInterval).toBe(expected);
  });
});
