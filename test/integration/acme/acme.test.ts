import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { legoVersion } from '#contract/site/certificates/provider-table.ts';
import { makePair } from '../../../appliance/server/certificates/make-pair.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import { runCommand } from '../../../appliance/server/host/run/command.ts';
import type { Seen } from '../../../appliance/stages/tls/ensure-certificate.ts';
import { certificateTodo } from '../../../appliance/stages/tls/stage.ts';
import { tlsStatus } from '../../../appliance/stages/tls/status.ts';
import { needs } from '../needs.ts';
import { AcmeRig } from './acme-rig.ts';
import { AuthorityFront } from './authority-front.ts';
import { blockedDomain } from './pebble.ts';

const real = needs('engine', 'registry', 'composePlugin', 'pebble', 'lego');

const [ui, docs] = ['chat.example.com', 'docs.example.com'];
const timer = 'etc/systemd/system/landfall-tls.timer';
/** An address without a host: reserved for documentation (RFC 5737). */
const elsewhere = '192.0.2.55';

/** The tests run in order, from a server without DNS to its renewals. */
real.describe('a certificate of an ACME authority', () => {
  let rig: AcmeRig;
  beforeAll(async () => {
    const { engine, registry, composePlugin, pebble } = real;
    rig = await AcmeRig.start({ engine, registry, composePlugin, pebble }, { ui, docs });
  });
  afterAll(async () => await rig?.close());

  it('runs the lego of the release in its container', async () => {
    const printed = await rig.stack.compose('run', '--rm', 'acme', '--version');
    expect(printed).toContain(`lego version ${legoVersion} `);
  });

  describe('while DNS has no records', () => {
    it('requests no certificate without DNS records, names them, and checks for them with a timer', async () => {
      const { changed, open } = await rig.seeTo();
      expect(changed).toBe(false);
      expect(open).toMatchObject([
        {
          code: 'TLS_NAME',
          problems: [ui, docs].map((name) => ({
            message: `${name} has no A or AAAA record`,
            hint: `Create the record ${name} A ${rig.address}.`,
          })),
        },
      ]);
      expect(await rig.file(timer)).toContain('OnUnitInactiveSec=2min');
      await expect(rig.file('var/lib/landfall/acme/last-run.log')).rejects.toThrow('ENOENT');
    });

    it('keeps the certificate pending in the plan while DNS has no records', async () => {
      const { host } = new URL(rig.pebble.directory);
      expect(await certificateTodo(rig.context())).toEqual([`request a certificate from ${host}`]);
    });
  });

  describe('when one of two names resolves to the server', () => {
    it('requests a certificate for the only name that resolves, and serves it at the gateway', async () => {
      await rig.pebble.setRecord(ui, [rig.address]);
      const { changed, open } = await rig.seeTo();
      expect(open.flatMap(({ problems }) => problems)).toMatchObject([
        { message: `${docs} has no A or AAAA record` },
      ]);
      expect(changed).toBe(true);
      await expect
        .poll(() => rig.shown(ui), waiting)
        .toMatchObject({
          names: `DNS:${ui}`,
          verified: true,
        });
    });

    it('defers the certificate for a name that resolves to another host', async () => {
      await rig.pebble.setRecord(docs, ['127.0.0.1']);
      const { changed, open } = await rig.seeTo();
      expect([changed, open[0]?.problems[0]?.message]).toEqual([
        false,
        expect.stringMatching(`^${docs} resolves to 127.0.0.1, `),
      ]);
    });

    it('waits for the retry delay when the timer fires early', async () => {
      await rig.pebble.setRecord(docs, [rig.address]);
      const { changed, open } = await rig.seeTo({ patient: true });
      expect([changed, open[0]?.code]).toEqual([false, 'TLS_NAME']);
    });
  });

  describe('once all names resolve to the server', () => {
    it('covers all names, and nothing is missing', async () => {
      expect(await rig.seeTo()).toEqual({ changed: true, open: [] });
      await expect
        .poll(() => rig.shown(docs), waiting)
        .toMatchObject({
          names: `DNS:${ui}, DNS:${docs}`,
          verified: true,
        });
      expect(await rig.file(timer)).toContain('OnCalendar=');
      expect((await tlsStatus(rig.context())).missing).toBeNull();
    });

    it('keeps the certificate once all names resolve to the server', async () => {
      const { certificate } = await tlsStatus(rig.context());
      expect(await rig.seeTo()).toEqual({ changed: false, open: [] });
      expect((await tlsStatus(rig.context())).certificate).toEqual(certificate);
      expect(await certificateTodo(rig.context())).toEqual([]);
    });

    it('does not set HSTS while browsers do not trust this authority', async () => {
      expect(await headersOf(rig.address, docs)).not.toHaveProperty('strict-transport-security');
    });

    it('renews the certificate without dropping connections', async () => {
      const { serial } = await rig.shown(ui);
      expect(await rig.seeTo({ force: true })).toEqual({ changed: true, open: [] });
      await expect.poll(async () => (await rig.shown(ui)).serial, waiting).not.toBe(serial);
      const { RestartCount } = await rig.stack.engine.getContainer('landfall-gateway').inspect();
      expect(RestartCount).toBe(0);
    });
  });

  describe('a failed request to an authority', () => {
    it('reports the name and the remedy when the authority reaches another host', async () => {
      await rig.pebble.setRecord(docs, [elsewhere]);
      const { changed, open } = await untilRejected(rig);
      expect(changed).toBe(false);
      expect(open).toMatchObject([
        {
          code: 'ACME_CHALLENGE',
          problems: [
            {
              message: expect.stringContaining(docs),
              hint: expect.stringContaining('Make port 80 reachable'),
            },
          ],
        },
      ]);
      expect((await tlsStatus(rig.context())).missing).toMatchObject({ code: 'ACME_CHALLENGE' });
    });

    it('reports a name that the authority rejects permanently', async () => {
      const { open } = await rig.seeTo({ force: true }, { hosts: { ui: `www.${blockedDomain}` } });
      expect(open).toMatchObject([
        { code: 'ACME_REFUSED', message: expect.stringContaining('(rejectedIdentifier)') },
      ]);
    });

    it("fails when the authority's TLS certificate is untrusted", async () => {
      const server = { url: rig.pebble.directory };
      const tls = { mode: 'acme', accept_terms: true, server };
      expect((await rig.seeTo({ force: true }, { tls })).open).toMatchObject([
        {
          code: 'ACME_UNREACHABLE',
          message: 'untrusted TLS certificate of the certificate authority',
        },
      ]);
    });

    it('ends lego in its container when the authority limits the rate', async () => {
      const { hostname } = new URL(rig.pebble.directory);
      const about = { subject: 'front', names: [hostname], days: 1 };
      const pair = await makePair(new Host('/', runCommand), about);
      const front = await AuthorityFront.start(rig.pebble, hostname, pair);
      front.problem = {
        status: 429,
        type: 'rateLimited',
        detail: 'too many certificates, retry after 2099-12-01 10:00:00 UTC: see https://x',
        retryAfter: '86400',
      };
      const server = { url: front.directory, ca: pair.chain };
      const tls = { mode: 'acme', accept_terms: true, server };
      const { open } = await rig.seeTo({ force: true }, { tls });
      await front.stop();
      expect(open).toMatchObject([{ code: 'ACME_RATE_LIMIT' }]);
      const left = await rig.stack.engine.listContainers({ all: true });
      expect(left.flatMap(({ Names }) => Names)).not.toContain('/landfall-acme');
    });

    it('retries a certificate request while the authority is unreachable', async () => {
      const server = { url: rig.pebble.directory.replace(/:\d+/, ':9'), ca: rig.pebble.ca };
      const tls = { mode: 'acme', accept_terms: true, server };
      expect((await rig.seeTo({ force: true }, { tls })).open).toMatchObject([
        { code: 'ACME_UNREACHABLE', message: 'cannot connect to the certificate authority' },
      ]);
    });
  });

  it('requests a certificate for the address of a site without names', async () => {
    const server = { url: rig.pebble.directory, ca: rig.pebble.ca };
    const tls = { mode: 'acme-ip', accept_terms: true, server };
    expect(await rig.seeTo({ force: true }, { tls, hosts: {} })).toEqual({
      changed: true,
      open: [],
    });
    await expect
      .poll(() => rig.shown(ui), waiting)
      .toMatchObject({ names: `IP Address:${rig.address}` });
  });
});

real.describe("a certificate of the server's own authority", () => {
  let rig: AcmeRig;
  beforeAll(async () => {
    const { engine, registry, composePlugin, pebble } = real;
    rig = await AcmeRig.start({ engine, registry, composePlugin, pebble }, { ui });
  });
  afterAll(async () => await rig?.close());

  it('issues a certificate of its own authority immediately, chained to the root it serves', async () => {
    const path = `http://${rig.address}/.well-known/landfall/authority.crt`;
    // A reload closes idle connections, possibly just when the next request is sent.
    const alone = { headers: { connection: 'close' } };
    expect((await fetch(path, alone)).status).toBe(404);
    const { changed, open } = await rig.seeTo({}, { tls: { mode: 'internal' } });
    expect([changed, open]).toEqual([true, []]);
    const answer = await fetch(path, alone);
    expect(answer.headers.get('content-type')).toBe('application/x-x509-ca-cert');
    const root = await answer.text();
    await expect
      .poll(() => rig.shown(ui, root), waiting)
      .toMatchObject({
        names: `DNS:${ui}`,
        verified: true,
      });
  });
});

/** Even with reuse disabled, Pebble reuses one in a hundred authorizations. */
async function untilRejected(rig: AcmeRig): Promise<Seen> {
  for (let tries = 1; ; tries += 1) {
    const seen = await rig.seeTo({ force: true });
    if (!seen.changed || tries === 5) return seen;
  }
}

/** On a busy machine, nginx needs some time to start its new workers. */
const waiting = { timeout: 30_000, interval: 200 };

async function headersOf(address: string, name: string): Promise<object> {
  return await new Promise((resolve, reject) => {
    const options = { host: address, servername: name, headers: { host: name }, agent: false };
    const sent = request({ ...options, path: '/', rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.headers);
    });
    sent.once('error', reject);
    sent.end();
  });
}
