import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../../../../appliance/shared/probe/exchange/http-exchange.ts';
import type { Route } from '../../../../../appliance/shared/probe/exchange/network.ts';
import { send } from '../../../../../appliance/shared/probe/exchange/send.ts';
import { endless, silence, status } from '../../../../faulty-server/faults.ts';
import { host, ProbeRig } from '../rig.ts';

let rig: ProbeRig;
beforeEach(() => {
  rig = new ProbeRig();
});
afterEach(() => rig.close());

const zone = { [host]: ['127.0.0.1'] };
const short = { connect: 300, answer: 300 };

async function sent(
  url: string,
  call: Partial<Call> = {},
  route: Route = {},
  limits?: typeof short,
) {
  return await send({ url: new URL(url), ...call }, route, await rig.network(zone, limits));
}

describe('a direct request', () => {
  it('measures each step of an encrypted request', async () => {
    const server = await rig.secure(status(401));
    const { attempt } = await sent(`https://${host}:${server.url('/').port}/v1/models`);
    expect(attempt.steps.map(({ name }) => name)).toEqual(['dns', 'tcp', 'tls', 'http']);
    expect(attempt).toMatchObject({ status: 401, addresses: ['127.0.0.1'] });
    expect(server.seen().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/models',
    ]);
    expect(server.seen()[0]?.headers).not.toHaveProperty('authorization');
  });

  it('fails at the step dns for an unknown name', async () => {
    const { attempt } = await sent('https://unknown.test/');
    expect(attempt.failure).toEqual({
      step: 'dns',
      code: 'NETWORK_UNREACHABLE',
      reason: 'the host name does not exist',
    });
  });

  it('fails at the step tcp for a closed port', async () => {
    const { attempt } = await sent('https://127.0.0.1:9/');
    expect(attempt.failure).toMatchObject({ step: 'tcp', reason: 'connection refused' });
  });

  it('fails at the step tls for a certificate of another name', async () => {
    const server = await rig.secure(status(200), ['elsewhere.test']);
    const { attempt } = await sent(`https://${host}:${server.url('/').port}/`);
    expect(attempt.failure).toEqual({
      step: 'tls',
      code: 'NETWORK_TLS',
      reason: 'the certificate is for another host name',
    });
    expect(server.seen()).toEqual([]);
  });

  it('fails at the step tls for a port without TLS', async () => {
    const server = await rig.plain(status(200));
    const { attempt } = await sent(`https://${host}:${server.url('/').port}/`);
    expect(attempt.failure).toMatchObject({ step: 'tls', code: 'NETWORK_TLS' });
  });

  it('ends at a black hole, during the handshake and during the response', async () => {
    const port = await rig.blackHole();
    const tls = await sent(`https://${host}:${port}/`, {}, {}, short);
    expect(tls.attempt.failure).toMatchObject({ step: 'tls', code: 'NETWORK_TIMEOUT' });
    const plain = await sent(`http://${host}:${port}/`, {}, {}, short);
    expect(plain.attempt.failure).toMatchObject({ step: 'http', code: 'NETWORK_TIMEOUT' });
    const server = await rig.secure(silence());
    const late = await sent(`https://${host}:${server.url('/').port}/`, {}, {}, short);
    expect(late.attempt.failure).toMatchObject({ step: 'http', code: 'NETWORK_TIMEOUT' });
  });

  it('does not follow redirects', async () => {
    const other = await rig.plain(status(200));
    const server = await rig.plain(({ response }) => {
      response.writeHead(302, { location: other.origin }).end();
    });
    expect((await sent(server.origin)).attempt.status).toBe(302);
    expect(other.seen()).toEqual([]);
  });

  it('reads a limited part of an endless body', async () => {
    const server = await rig.plain(endless());
    const { answer } = await sent(server.origin, { maxBytes: 1000 });
    expect(answer?.body).toHaveLength(1000);
  });

  it('rejects a response header of 100 kB and a response that is not HTTP', async () => {
    const large = await rig.raw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`);
    });
    const huge = await sent(`http://127.0.0.1:${large}/`);
    expect(huge.attempt.failure).toMatchObject({ step: 'http', code: 'NETWORK_UNREACHABLE' });
    const ssh = await rig.raw((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    const other = await sent(`http://127.0.0.1:${ssh}/`);
    expect(other.attempt.failure?.reason).toBe('the response is not HTTP');
  });

  it('uses given addresses instead of those of the resolver', async () => {
    const server = await rig.secure(status(200), ['other.test']);
    const url = `https://other.test:${server.url('/').port}/`;
    const { attempt } = await sent(url, {}, { addresses: ['127.0.0.1'] });
    expect(attempt).toMatchObject({ status: 200, steps: [{ name: 'tcp' }, {}, {}] });
  });

  it('sends a body with its length', async () => {
    const bodies: string[] = [];
    const server = await rig.plain(async ({ request, response }) => {
      bodies.push(await text(request));
      response.end('{}');
    });
    await sent(server.origin, { method: 'POST', body: '{"inputs":"ä"}' });
    expect(bodies).toEqual(['{"inputs":"ä"}']);
    expect(server.seen()[0]?.headers['content-length']).toBe('15');
  });
});
