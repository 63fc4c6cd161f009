import { X509Certificate } from 'node:crypto';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { needs } from '../../integration/needs.ts';
import { DnsServer } from './dns-server.ts';
import { tsig } from './name-server.ts';

const real = needs('pebble', 'lego', 'knotd', 'unbound');
const zone = 'example.org';
const chat = `chat.${zone}`;
const other = 'example.net';

/** The tests run in order: the server gets its credentials one by one. */
real.describe('a certificate by records of a DNS provider', () => {
  let server: DnsServer;

  beforeAll(async () => {
    const addresses = ['127.0.0.153', '127.0.0.154'] as const;
    server = await DnsServer.start(real, { zones: [zone, other], addresses });
    server.hosts = { ui: chat };
    server.tls = { challenge: 'dns', dns: { provider: 'rfc2136' } };
  });
  afterAll(() => server?.close());

  const namesIn = (chain: string | undefined) => new X509Certificate(chain ?? '').subjectAltName;

  it('asks for the credentials first', async () => {
    const { pair, open } = await server.renew();
    expect(pair).toBeUndefined();
    expect(open).toMatchObject([
      { message: 'the credentials of the DNS provider rfc2136 are not set' },
    ]);
  });

  it('ignores the credentials of another provider', async () => {
    await server.set({ CLOUDFLARE_DNS_API_TOKEN: 'a-token-of-another-provider' });
    const { open } = await server.renew();
    expect(open).toMatchObject([
      { message: 'the credentials of the DNS provider rfc2136 are not set' },
    ]);
  });

  it('names the missing credential when only some are set', async () => {
    server.tls = { challenge: 'dns', dns: { provider: 'alidns' } };
    await server.set({ ALICLOUD_ACCESS_KEY: 'LTAI0000000000000000' });
    const { open } = await server.renew();
    server.tls = { challenge: 'dns', dns: { provider: 'rfc2136' } };
    expect(open).toMatchObject([
      {
        code: 'ACME_REFUSED',
        message: 'credentials of the DNS provider are missing',
        problems: [{ message: expect.stringContaining('ALICLOUD_SECRET_KEY') }],
      },
    ]);
  });

  it('quotes the name server that refuses a wrong credential, and logs no value', async () => {
    const wrong = Buffer.from('this is another key of 32 bytes!').toString('base64');
    await server.set({
      DNSUPDATE_NAMESERVER: server.names.address,
      DNSUPDATE_TSIG_KEY: tsig.name,
      DNSUPDATE_TSIG_ALGORITHM: 'hmac-sha256.',
      DNSUPDATE_TSIG_SECRET: wrong,
    });
    const { open } = await server.renew();
    expect(open).toMatchObject([
      {
        code: 'ACME_CHALLENGE',
        problems: [
          {
            message: expect.stringMatching(/^chat\.example\.org: .*bad authentication/),
            hint: expect.stringContaining('credentials are valid'),
          },
        ],
      },
    ]);
    expect(await server.log()).not.toContain(wrong);
  });

  it('issues a certificate without a record of an address and without port 80', async () => {
    await server.set({ DNSUPDATE_TSIG_SECRET: tsig.secret });
    const { pair, open } = await server.renew();
    expect(open).toEqual([]);
    expect(namesIn(pair?.chain)).toBe(`DNS:${chat}`);
  });

  it('removes its records afterwards', async () => {
    expect(await server.names.texts(`_acme-challenge.${chat}`)).toEqual([]);
  });

  it('issues a wildcard', async () => {
    server.tls = { ...server.tls, names: [`*.${zone}`] };
    const { pair, open } = await server.renew();
    expect(open).toEqual([]);
    expect(namesIn(pair?.chain)).toBe(`DNS:*.${zone}`);
  });

  it('issues a wildcard with its domain: two records of one name', async () => {
    server.tls = { ...server.tls, names: [`*.${zone}`, zone] };
    const { pair, open } = await server.renew();
    expect(open).toEqual([]);
    expect(namesIn(pair?.chain)?.split(', ').sort()).toEqual([`DNS:*.${zone}`, `DNS:${zone}`]);
  });

  it('follows a CNAME to a zone that exists for challenges only', async () => {
    server.tls = { challenge: 'dns', dns: { provider: 'rfc2136' } };
    const target = `chat.challenges.${other}`;
    await server.names.set(zone, '_acme-challenge.chat', 'CNAME', [`${target}.`]);
    const { pair, open } = await server.renew();
    expect(open).toEqual([]);
    expect(namesIn(pair?.chain)).toBe(`DNS:${chat}`);
    expect(await server.log()).toContain(target);
    await server.names.set(zone, '_acme-challenge.chat', 'CNAME', []);
  });

  it('names the record of a CNAME to a zone that is not at this provider', async () => {
    await server.names.set(zone, '_acme-challenge.chat', 'CNAME', ['chat.example.com.']);
    const { open } = await server.renew();
    await server.names.set(zone, '_acme-challenge.chat', 'CNAME', []);
    expect(open[0]?.code).toBe('ACME_CHALLENGE');
    expect(open[0]?.problems[0]?.message).toMatch(/^chat\.example\.org: /);
  });

  it('names the domain whose zone is not at this provider', async () => {
    server.hosts = { ui: 'chat.example.com' };
    const { open } = await server.renew();
    server.hosts = { ui: chat };
    expect(open[0]?.problems[0]?.message).toMatch(/^chat\.example\.com: /);
  });

  it('renews a certificate of another account after the email address changed', async () => {
    server.email = 'other@example.org';
    const { open } = await server.renew();
    server.email = 'ops@example.org';
    expect(open).toEqual([]);
    expect((await server.renew()).open).toEqual([]);
  });

  it.each([
    [/^accounts\/.*\/account\.json$/, 0],
    [/^accounts\/.*\.key$/, 100],
    [/^certificates\/[\w-]+\.crt$/, 500],
    [/^certificates\/[\w-]+\.key$/, 0],
    [/^certificates\/[\w-]+\.json$/, 20],
  ])('issues a certificate after a power cut that truncated %s', async (pattern, size) => {
    const folder = server.folder('');
    const files = await readdir(folder, { recursive: true });
    const file = files.find((name) => pattern.test(name));
    await truncate(join(folder, file ?? 'none'), size);
    const { pair, open } = await server.renew();
    expect(open).toEqual([]);
    expect(namesIn(pair?.chain)).toBe(`DNS:${chat}`);
  });
});
