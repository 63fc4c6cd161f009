import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseProxy } from '#http/proxy.ts';
import { send } from '../../../../../appliance/shared/probe/exchange/send.ts';
import { status } from '../../../../faulty-server/faults.ts';
import { host, ProbeRig } from '../rig.ts';

let rig: ProbeRig;
beforeEach(() => {
  rig = new ProbeRig();
});
afterEach(() => rig.close());

const names = { [host]: '127.0.0.1' };

/** Requests an encrypted server whose name only the proxy can resolve. */
async function through(proxyUrl: string, limits = { connect: 60_000, answer: 60_000 }) {
  const server = await rig.secure(status(401));
  const url = new URL(`https://${host}:${server.url('/').port}/v1/models`);
  const proxy = chooseProxy(url, { proxy: proxyUrl });
  const { attempt } = await send({ url }, { proxy }, await rig.network({}, limits));
  return { attempt, port: url.port };
}

describe('a request through an HTTP proxy', () => {
  it('lets the proxy resolve the name, and verifies the certificate', async () => {
    const proxy = await rig.httpProxy({ names, login: 'me:secret' });
    const { attempt, port } = await through(proxy.url.replace('//', '//me:secret@'));
    expect(attempt.steps.map(({ name }) => name)).toEqual(['proxy', 'tls', 'http']);
    expect(attempt).toMatchObject({ status: 401, addresses: [] });
    expect(proxy.asked).toEqual([`CONNECT ${host}:${port}`]);
  });

  it.each([
    [{ refusal: 403 }, 'the proxy responded with status 403'],
    [{ refusal: 502 }, 'the proxy responded with status 502'],
    [{ login: 'me:secret' }, 'authentication failed'],
  ])('reports a refusal: %j', async (options, reason) => {
    const proxy = await rig.httpProxy({ names, ...options });
    const { attempt } = await through(proxy.url);
    expect(attempt.failure).toMatchObject({ step: 'proxy', code: 'NETWORK_PROXY', reason });
  });

  it('ends if the proxy is silent', async () => {
    const proxy = await rig.httpProxy({ names, silent: true });
    const { attempt } = await through(proxy.url, { connect: 300, answer: 300 });
    expect(attempt.failure).toEqual({
      step: 'proxy',
      code: 'NETWORK_PROXY',
      reason: 'the connection timed out',
    });
  });

  it.each([
    ['bytes before TLS', 'HTTP/1.1 200 OK\r\n\r\n\x15\x03\x01'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['an endless header', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`],
    ['an end', ''],
  ])('rejects a proxy that sends %s', async (_what, text) => {
    const port = await rig.raw((socket) => socket.once('data', () => socket.end(text)));
    const { attempt } = await through(`http://127.0.0.1:${port}`);
    expect(attempt.failure).toMatchObject({ step: 'proxy', code: 'NETWORK_PROXY' });
  });
});

describe('a request through a SOCKS5 proxy', () => {
  it.each(['socks5', 'socks5h'])('lets the proxy resolve the name: %s', async (scheme) => {
    const proxy = await rig.socksProxy({ names });
    const { attempt, port } = await through(`${scheme}://${proxy.host}`);
    expect(attempt.steps.map(({ name }) => name)).toEqual(['proxy', 'tls', 'http']);
    expect(proxy.asked).toEqual([`${host}:${port}`]);
  });

  it('logs in', async () => {
    const proxy = await rig.socksProxy({ names, login: 'me:sécret' });
    expect((await through(`socks5://me:s%C3%A9cret@${proxy.host}`)).attempt.status).toBe(401);
  });

  it.each([
    ['a wrong login', 'socks5://me:wrong@', 'authentication failed'],
    ['no login', 'socks5://', 'authentication failed'],
  ])('reports %s', async (_what, start, reason) => {
    const proxy = await rig.socksProxy({ names, login: 'me:secret' });
    const { attempt } = await through(`${start}${proxy.host}`);
    expect(attempt.failure).toMatchObject({ step: 'proxy', code: 'NETWORK_PROXY', reason });
  });

  it('reports a name that the proxy cannot resolve', async () => {
    const proxy = await rig.socksProxy();
    const { attempt } = await through(`socks5h://${proxy.host}`);
    expect(attempt.failure?.reason).toBe('the proxy cannot reach the host');
  });

  it.each([
    ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'the server is not a SOCKS5 proxy'],
    ['an end', '', 'the connection was lost'],
    ['100 kB', `\x05\x00${'\x09'.repeat(100_000)}`, 'the proxy rejected the connection'],
    ['a part of a response', '\x05\x00\x05', 'the connection was lost'],
  ])('rejects a proxy that sends %s', async (_what, text, reason) => {
    const port = await rig.raw((socket) => socket.once('data', () => socket.end(text)));
    const { attempt } = await through(`socks5://127.0.0.1:${port}`);
    expect(attempt.failure).toMatchObject({ step: 'proxy', code: 'NETWORK_PROXY', reason });
  });

  it('reads a response that arrives byte by byte', async () => {
    const proxy = await rig.socksProxy({ names });
    const [address = '', target] = proxy.host.split(':');
    const port = await rig.raw((client) => {
      const upstream = connect(Number(target), address);
      client.pipe(upstream);
      upstream.on('data', (chunk: Buffer) => {
        for (const byte of chunk) client.write(Buffer.from([byte]));
      });
    });
    expect((await through(`socks5://127.0.0.1:${port}`)).attempt.status).toBe(401);
  });

  it('ends if the proxy is silent', async () => {
    const port = await rig.blackHole();
    const { attempt } = await through(`socks5://127.0.0.1:${port}`, { connect: 300, answer: 300 });
    expect(attempt.failure).toMatchObject({ step: 'proxy', reason: 'the connection timed out' });
  });
});
