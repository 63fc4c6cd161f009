import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { needs } from '../../integration/needs.ts';
import type { Account, TextRecord } from '../../stand-ins/alidns/account.ts';
import { AlidnsApi } from '../../stand-ins/alidns/server.ts';
import { DnsServer } from './dns-server.ts';

const real = needs('pebble', 'lego', 'knotd', 'unbound');
const zone = 'example.org';
const chat = `chat.${zone}`;
const endpoint = 'alidns.cn-hangzhou.aliyuncs.com';
const address = '127.0.0.158';

const key = { id: 'LTAI5tExampleExample0001', secret: 'ExampleSecretOfThirtyCharacters' };
const account: Account = { key, domains: ['example.net', zone], mayChange: true };

/** The tests run in order. lego, its provider and the library that signs are real; the API is a stand-in. */
real.describe('a certificate by records at Alibaba Cloud', () => {
  let server: DnsServer;
  let api: AlidnsApi;

  beforeAll(async () => {
    const addresses = ['127.0.0.156', '127.0.0.157'] as const;
    const names = { [endpoint]: address };
    server = await DnsServer.start(real, { zones: [zone], addresses, names });
    server.hosts = { ui: chat };
    server.tls = { challenge: 'dns', dns: { provider: 'alidns' } };
    const publish = (records: readonly TextRecord[]) => publishAt(server, records);
    const pair = await server.pairFor(endpoint);
    api = await AlidnsApi.start(account, { address, pair, publish });
    await server.set({ ALICLOUD_ACCESS_KEY: key.id, ALICLOUD_SECRET_KEY: key.secret });
  });
  afterAll(async () => {
    await api?.stop();
    await server?.close();
  });

  /** Returns what the server reports about the only name of the certificate. */
  async function problemOf(changed: Partial<Account>) {
    api.use({ ...account, ...changed });
    const { open } = await server.renew();
    api.use(account);
    return open;
  }

  it('issues a certificate, and removes the record', async () => {
    const { pair, open } = await server.renew();
    expect(open).toEqual([]);
    expect(new X509Certificate(pair?.chain ?? '').subjectAltName).toBe(`DNS:${chat}`);
    expect(api.actions).toContain('AddDomainRecord');
    expect(api.actions.at(-1)).toBe('DeleteDomainRecord');
    expect(await server.names.texts(`_acme-challenge.${chat}`)).toEqual([]);
  });

  it('issues a wildcard', async () => {
    server.tls = { ...server.tls, names: [`*.${zone}`] };
    const { pair, open } = await server.renew();
    const { names: _names, ...rest } = server.tls;
    server.tls = rest;
    expect(open).toEqual([]);
    expect(new X509Certificate(pair?.chain ?? '').subjectAltName).toBe(`DNS:*.${zone}`);
  });

  it.each([
    ['an unknown key', { key: { ...key, id: 'LTAI5tExampleExample0002' } }, 'InvalidAccessKeyId'],
    ['a wrong secret', { key: { ...key, secret: 'another secret' } }, 'SignatureDoesNotMatch'],
    ['a key that may not change records', { mayChange: false }, 'Forbidden.RAM'],
    ['an account without the zone', { domains: ['example.net'] }, 'zone example.org. not found'],
  ])('quotes the API on %s', async (_what, changed, message) => {
    expect(await problemOf(changed)).toMatchObject([
      {
        code: 'ACME_CHALLENGE',
        problems: [
          {
            message: expect.stringMatching(new RegExp(`^chat\\.example\\.org: .*${message}`, 's')),
            hint: expect.stringContaining('credentials are valid'),
          },
        ],
      },
    ]);
  });

  it('accepts a temporary token, and quotes the API on an expired one', async () => {
    const value = 'CAISexampleTokenOfTheSecurityTokenService';
    await server.set({ ALICLOUD_SECURITY_TOKEN: value });
    const until = (milliseconds: number) => new Date(Date.now() + milliseconds);
    const valid = await problemOf({ token: { value, expires: until(3_600_000) } });
    expect(valid).toEqual([]);
    const [expired] = await problemOf({ token: { value, expires: until(-1000) } });
    expect(expired?.problems[0]?.message).toContain('SecurityToken is expired');
    expect(await server.log()).not.toContain(value);
  });
});

/** Makes the name servers show the records of the account. */
async function publishAt({ names }: DnsServer, records: readonly TextRecord[]): Promise<void> {
  for (const name of ['_acme-challenge.chat', '_acme-challenge']) {
    const own = records.filter(({ RR, DomainName }) => RR === name && DomainName === zone);
    await names.set(
      zone,
      name,
      'TXT',
      own.map(({ Value }) => `"${Value}"`),
    );
  }
}
