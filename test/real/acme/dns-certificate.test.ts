import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Host } from '../../../appliance/server/host/host.ts';
import { runCommand } from '../../../appliance/server/host/run/command.ts';
import { writeSecret } from '../../../appliance/server/host/secret-file.ts';
import { readSecrets } from '../../../appliance/stages/secrets/secret-values.ts';
import { renderAcme } from '../../../appliance/stages/stack/components/acme/configuration.ts';
import { acmeLog } from '../../../appliance/stages/tls/acme-folder.ts';
import { acmePair } from '../../../appliance/stages/tls/acme-pair.ts';
import { authorityOf } from '../../../appliance/stages/tls/authority.ts';
import { contextFor } from '../../appliance/context.ts';
import { Pebble } from '../../integration/acme/pebble.ts';
import { needs } from '../../integration/needs.ts';
import { NameServer, tsig } from './name-server.ts';

const real = needs('pebble', 'lego', 'knotd');
const zone = 'example.org';
const state = 'var/lib/landfall/acme';

/** The tests run in order: the server gets its credentials one by one. */
real.describe('a certificate by records of a DNS provider', () => {
  let root: string;
  let host: Host;
  let pebble: Pebble;
  let names: NameServer;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'landfall-dns-'));
    names = await NameServer.start(real.knotd, zone, '127.0.0.153');
    pebble = await Pebble.start(real.pebble, '127.0.0.1', names.address);
    host = new Host(root, async (_file, args, options = {}) => {
      const asked = args.slice(args.indexOf('acme') + 1);
      const inside = asked.map((word) =>
        word === '/var/lib/lego' ? join(root, state, 'config') : word,
      );
      const bundle = join(root, state, 'config/landfall-authority.pem');
      const { site } = contextOf();
      const secrets = await readSecrets(host, site);
      const [file] = renderAcme({ ...anyInput, site, secrets });
      const env = { ...parseEnv(file?.content ?? ''), SSL_CERT_FILE: bundle } as Record<
        string,
        string
      >;
      const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
      const command = ['--mount', 'sh', '-c', script, names.resolvConf, real.lego, ...inside];
      return await runCommand('unshare', command, { ...options, env });
    });
  });
  afterAll(async () => {
    await pebble?.stop();
    await names?.stop();
    if (root) await rm(root, { recursive: true });
  });

  function contextOf(hosts: object = { ui: `chat.${zone}` }, more: object = {}) {
    const { directory: url, ca } = pebble;
    const dns = { challenge: 'dns', dns: { provider: 'rfc2136' } };
    return contextFor(host, {
      site: {
        admin: { email: 'ops@example.org', ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
        hosts,
        tls: { mode: 'acme', accept_terms: true, ...dns, server: { url, ca }, ...more },
      },
    });
  }

  async function ensure(...settings: Parameters<typeof contextOf>) {
    const context = contextOf(...settings);
    const authority = authorityOf(context.site);
    if (!authority) throw new Error('the site has no authority');
    return await acmePair(context, authority, async () => [], { force: true });
  }

  it('asks for the credentials first', async () => {
    const { pair, open } = await ensure();
    expect(pair).toBeUndefined();
    expect(open).toMatchObject([
      { message: 'the credentials of the DNS provider rfc2136 are not set' },
    ]);
  });

  it('quotes the name server that refuses a wrong credential, and logs no value', async () => {
    const wrong = Buffer.from('this is another key of 32 bytes!').toString('base64');
    await writeSecret(host, 'DNSUPDATE_NAMESERVER', names.address);
    await writeSecret(host, 'DNSUPDATE_TSIG_KEY', tsig.name);
    await writeSecret(host, 'DNSUPDATE_TSIG_ALGORITHM', 'hmac-sha256.');
    await writeSecret(host, 'DNSUPDATE_TSIG_SECRET', wrong);
    const { open } = await ensure();
    expect(open).toMatchObject([
      {
        code: 'ACME_CHALLENGE',
        problems: [
          {
            message: expect.stringMatching(/^chat\.example\.org: /),
            hint: expect.stringContaining('credentials are valid'),
          },
        ],
      },
    ]);
    expect(await readFile(host.path(acmeLog), 'utf8')).not.toContain(wrong);
  });

  it('issues a wildcard without a record of an address and without port 80', async () => {
    await writeSecret(host, 'DNSUPDATE_TSIG_SECRET', tsig.secret);
    const { pair, open } = await ensure(undefined, { names: [`*.${zone}`] });
    expect(open).toEqual([]);
    expect(new X509Certificate(pair?.chain ?? '').subjectAltName).toBe(`DNS:*.${zone}`);
  });

  it('names the domain whose zone is not at this provider', async () => {
    const { open } = await ensure({ ui: 'chat.example.net' });
    expect(open[0]?.problems[0]?.message).toMatch(/^chat\.example\.net: /);
  });
});

const anyInput = { server: { memory: 4e9, cpus: 2 }, images: [] };
