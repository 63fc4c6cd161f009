import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseProxy } from '#http/proxy.ts';
import type { Attempt } from '../../../../appliance/shared/probe/exchange/attempt.ts';
import {
  checkDns,
  probeProvider,
  verdictOf,
} from '../../../../appliance/shared/probe/probe-provider.ts';
import { status } from '../../../faulty-server/faults.ts';
import type { Handler } from '../../../faulty-server/faulty-server.ts';
import { encryptedResolver } from '../../../stand-ins/dns/encrypted.ts';
import { host, ProbeRig } from './rig.ts';

let rig: ProbeRig;
beforeEach(() => {
  rig = new ProbeRig();
});
afterEach(() => rig.close());

const [right, wrong] = [{ [host]: ['127.0.0.1'] }, { [host]: ['127.0.0.2'] }];
const noResolver = new URL('http://127.0.0.1:9/dns-query');

/** Probes a server with TLS over a resolver of the system and an encrypted one. */
async function probed(
  port: string,
  zone: Record<string, string[]>,
  { resolver = noResolver, proxy }: { resolver?: URL; proxy?: string } = {},
) {
  const url = new URL(`https://${host}:${port}/v1/models`);
  return await probeProvider(
    { name: 'provider', url },
    {
      network: await rig.network(zone, { connect: 1000, answer: 1000 }),
      resolver,
      proxyFor: (to) => (proxy === undefined ? undefined : chooseProxy(to, { proxy })),
    },
  );
}

async function resolverFor(zone: Record<string, string[]>): Promise<URL> {
  const server = await rig.secure(encryptedResolver(zone), ['dns.test']);
  return server.url('/dns-query');
}

describe('a provider that is reachable directly', () => {
  it.each([200, 401, 404, 429])('counts as reachable with status %i', async (code) => {
    const server = await rig.secure(status(code));
    const report = await probed(server.url('/').port, right);
    expect(report.direct).toMatchObject({ status: code });
    expect(verdictOf([report])).toMatchObject({ kind: 'direct', triedProxy: false });
  });

  it('trusts a DNS answer that its certificate confirms, and asks no resolver', async () => {
    const server = await rig.secure(status(401));
    const resolver = await rig.secure(status(500), ['dns.test']);
    const report = await probed(server.url('/').port, right, { resolver: resolver.url('/') });
    expect(report.dns).toEqual({ state: 'clean', system: ['127.0.0.1'] });
    expect(resolver.seen()).toEqual([]);
  });

  it('requests a provider directly first, then through the proxy', async () => {
    const server = await rig.secure(status(401));
    const proxy = await rig.httpProxy({ names: { [host]: '127.0.0.1' } });
    const report = await probed(server.url('/').port, right, { proxy: proxy.url });
    expect(server.seen()).toHaveLength(2);
    expect(proxy.asked).toHaveLength(1);
    expect(report.proxy).toMatchObject({ status: 401 });
    expect(verdictOf([report]).kind).toBe('direct');
  });
});

describe('a provider that denies access', () => {
  it.each([302, 403, 451, 503])('counts as not reachable with status %i', async (code) => {
    const server = await rig.secure(({ response }) => {
      response.writeHead(code, { location: 'https://login.example/' }).end('x'.repeat(1000));
    });
    const report = await probed(server.url('/').port, right);
    expect(report.direct.failure).toMatchObject({ step: 'http', code: 'HTTP_STATUS' });
    expect(verdictOf([report]).kind).toBe('relay');
  });
});

describe('a lying resolver', () => {
  it('recognizes a lying resolver by the encrypted answer and the certificate', async () => {
    const server = await rig.secure(status(401));
    const { port } = server.url('/');
    await rig.impostor(Number(port));
    const report = await probed(port, wrong, { resolver: await resolverFor(right) });
    expect(report.direct.failure?.code).toBe('NETWORK_TLS');
    expect(report.dns).toEqual({
      state: 'polluted',
      system: ['127.0.0.2'],
      trusted: ['127.0.0.1'],
    });
    expect(report.corrected).toMatchObject({ status: 401 });
    expect(verdictOf([report])).toMatchObject({ kind: 'dns', polluted: ['provider'] });
  });

  it('recognizes a lying resolver if it hides the name', async () => {
    const server = await rig.secure(status(401));
    const report = await probed(server.url('/').port, {}, { resolver: await resolverFor(right) });
    expect(report.dns).toMatchObject({ state: 'polluted', system: [] });
  });

  it('recognizes a lying resolver through the proxy, if the encrypted resolver is blocked', async () => {
    const server = await rig.secure(status(401));
    const { port } = server.url('/');
    await rig.impostor(Number(port));
    const resolver = await resolverFor(right);
    const names = { [host]: '127.0.0.1', 'dns.test': '127.0.0.1' };
    const proxy = await rig.httpProxy({ names });
    const named = new URL(`https://dns.test:${resolver.port}/dns-query`);
    const report = await probed(port, wrong, { resolver: named, proxy: proxy.url });
    expect(report.dns.state).toBe('polluted');
    expect(verdictOf([report])).toMatchObject({ kind: 'proxy', polluted: ['provider'] });
  });

  it('stays unknown without an encrypted answer', async () => {
    const report = await probed('9', wrong);
    expect(report.dns).toEqual({ state: 'suspected', system: ['127.0.0.2'] });
    expect(report).not.toHaveProperty('corrected');
  });

  it.each<[string, Handler]>([
    ['an error', status(500)],
    ['HTML', ({ response }) => void response.setHeader('content-type', 'text/html').end('<p>')],
    [
      'too many bytes',
      ({ response }) =>
        void response
          .setHeader('content-type', 'application/dns-message')
          .end(Buffer.alloc(1_000_000, 0xff)),
    ],
  ])('ignores an encrypted resolver that returns %s', async (_what, handler) => {
    const resolver = await rig.plain(handler);
    const report = await probed('9', { [host]: ['127.0.0.1'] }, { resolver: resolver.url('/') });
    expect(report.dns).not.toHaveProperty('trusted');
  });
});

describe('a DNS answer', () => {
  const [right, other] = ['198.51.100.7', '203.0.113.5'];

  /** A request that passed TLS. */
  const trusted = (...addresses: string[]): Attempt => ({
    steps: [{ name: 'tls', took: 1 }],
    addresses,
    status: 401,
  });

  const failed = (code: 'NETWORK_TLS' | 'NETWORK_TIMEOUT', ...addresses: string[]): Attempt => ({
    steps: [],
    addresses,
    failure: { step: 'tls', code, reason: '' },
  });

  const late = (...addresses: string[]) => failed('NETWORK_TIMEOUT', ...addresses);

  it.each([
    ['the certificate is right', trusted(other), [right], undefined, 'clean'],
    [
      'the certificate is right at a fake address',
      trusted('198.18.0.7'),
      [right],
      undefined,
      'clean',
    ],
    ['both answers agree', late(right), [right], undefined, 'clean'],
    [
      'both answers agree in another notation',
      late('2001:DB8::0:1'),
      ['2001:db8::1'],
      undefined,
      'clean',
    ],
    ['the name does not exist', late(), [], undefined, 'clean'],
    [
      'the right address has the right certificate',
      late(other),
      [right],
      trusted(right),
      'polluted',
    ],
    ['the name exists only in the encrypted answer', late(), [right], trusted(right), 'polluted'],
    [
      'the certificate is of another host',
      failed('NETWORK_TLS', other),
      [right],
      late(right),
      'polluted',
    ],
    ['the address is private', late('10.0.0.1'), [right], late(right), 'polluted'],
    ['the address is this machine', late('::1'), [right], late(right), 'polluted'],
    ['the address is unspecified', late('0.0.0.0'), [right], late(right), 'polluted'],
    ['both addresses are silent', late(other), [right], late(right), 'suspected'],
    [
      'the address is loopback, without an encrypted answer',
      late('127.0.0.1'),
      undefined,
      undefined,
      'suspected',
    ],
    ['there is no encrypted answer', late(other), undefined, undefined, 'unknown'],
    ['only the local network knows the name', late('10.0.0.1'), [], undefined, 'unknown'],
  ] as const)('classifies a DNS answer if %s', (_what, direct, encrypted, corrected, state) => {
    expect(checkDns(direct, encrypted, corrected)).toBe(state);
  });
});
