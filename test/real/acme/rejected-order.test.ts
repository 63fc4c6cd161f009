import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthorityFront } from '../../integration/acme/authority-front.ts';
import { needs } from '../../integration/needs.ts';
import { DnsServer } from './dns-server.ts';
import { tsig } from './name-server.ts';

const real = needs('pebble', 'lego', 'knotd', 'unbound');
const zone = 'example.org';
const address = '127.0.0.1';

/** The words are those of Let's Encrypt; lego is real. */
real.describe('an order that the authority rejects', () => {
  let server: DnsServer;
  let front: AuthorityFront;

  beforeAll(async () => {
    const addresses = ['127.0.0.160', '127.0.0.161'] as const;
    server = await DnsServer.start(real, { zones: [zone], addresses });
    front = await AuthorityFront.start(server.pebble, address, await server.pairFor(address));
    server.hosts = { ui: `chat.${zone}` };
    server.tls = {
      ...{ challenge: 'dns', dns: { provider: 'rfc2136' } },
      server: { url: front.directory },
    };
    await server.set({
      DNSUPDATE_NAMESERVER: server.names.address,
      DNSUPDATE_TSIG_KEY: tsig.name,
      DNSUPDATE_TSIG_ALGORITHM: 'hmac-sha256.',
      DNSUPDATE_TSIG_SECRET: tsig.secret,
    });
  });
  afterAll(async () => {
    await front?.stop();
    await server?.close();
  });

  it('waits until the time that a rate limit names', async () => {
    const time = '2099-12-01 10:00:00 UTC';
    front.problem = {
      status: 429,
      type: 'rateLimited',
      detail: `too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after ${time}: see https://letsencrypt.org/docs/rate-limits/`,
      retryAfter: '3600',
    };
    const { open, retryAt } = await server.renew();
    expect(open).toMatchObject([
      {
        code: 'ACME_RATE_LIMIT',
        message: expect.stringContaining('too many certificates (5) already issued'),
        hint: expect.stringContaining('Wait until the limit expires'),
      },
    ]);
    expect(retryAt).toEqual(new Date('2099-12-01T10:00:00Z'));
  });

  it('names the CAA records when none of two allows the authority', async () => {
    await server.names.set(zone, '@', 'CAA', ['0 issue "ca.example"', '0 issuewild ";"']);
    front.problem = {
      status: 403,
      type: 'caa',
      detail: `Error finalizing order :: CAA record for ${zone} prevents issuance`,
    };
    const { open } = await server.renew();
    expect(open).toMatchObject([
      {
        code: 'ACME_CHALLENGE',
        message: expect.stringContaining('CAA record for example.org prevents issuance'),
        hint: expect.stringContaining('Add this authority to the CAA record'),
      },
    ]);
  });

  it.each([
    ['rejectedIdentifier', 400, 'ACME_REFUSED', 'Use a name of your own domain'],
    ['userActionRequired', 403, 'ACME_REFUSED', "Read the authority's new terms"],
  ])('explains the problem %s', async (type, status, code, hint) => {
    front.problem = { status, type, detail: 'words of the authority' };
    const { open } = await server.renew();
    expect(open).toMatchObject([
      {
        code,
        message: expect.stringContaining('words of the authority'),
        hint: expect.stringContaining(hint),
      },
    ]);
  });

  it('asks again later when the authority has an error', async () => {
    front.problem = { status: 500, type: 'serverInternal', detail: 'words of the authority' };
    const { open } = await server.renew();
    expect(open).toMatchObject([
      {
        code: 'ACME_UNREACHABLE',
        message: 'the certificate authority responds with errors',
        problems: [{ message: expect.stringContaining('unexpected HTTP status 500') }],
      },
    ]);
  });

  it('issues the certificate once the authority accepts the order', async () => {
    front.problem = undefined;
    const { pair, open } = await server.renew();
    expect(open).toEqual([]);
    expect(pair).toBeDefined();
  });

  it('blames the clock when the certificate of the authority is not valid now', async () => {
    const past = await AuthorityFront.start(
      server.pebble,
      address,
      await server.expiredPairFor(address),
    );
    server.tls = { ...server.tls, server: { url: past.directory } };
    const { open } = await server.renew();
    await past.stop();
    expect(open).toMatchObject([
      { code: 'ACME_UNREACHABLE', hint: expect.stringContaining('timedatectl') },
    ]);
  });
});
