import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { makePair } from '../../../appliance/server/certificates/make-pair.ts';
import type { Pair } from '../../../appliance/server/certificates/pair.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import { runCommand } from '../../../appliance/server/host/run/command.ts';
import { writeSecret } from '../../../appliance/server/host/secret-file.ts';
import { readSecrets } from '../../../appliance/stages/secrets/secret-values.ts';
import { renderAcme } from '../../../appliance/stages/stack/components/acme/configuration.ts';
import { acmeLog } from '../../../appliance/stages/tls/acme-folder.ts';
import { acmePair, type CertificatePlan } from '../../../appliance/stages/tls/acme-pair.ts';
import { authorityOf } from '../../../appliance/stages/tls/authority.ts';
import { contextFor, type TestContext } from '../../appliance/context.ts';
import { Pebble } from '../../integration/acme/pebble.ts';
import { NameServer } from './name-server.ts';

/** Paths of the programs. */
interface Programs {
  readonly pebble: string;
  readonly lego: string;
  readonly knotd: string;
  readonly unbound: string;
}

/** Loopback addresses of a test, so that tests do not use the same ones. */
interface Options {
  readonly zones: readonly string[];
  readonly addresses: readonly [authoritative: string, recursive: string];
  /** More addresses by name, for lego. */
  readonly names?: Readonly<Record<string, string>>;
}

const state = 'var/lib/landfall/acme/config';
const machine = new Host('/', runCommand);

/**
 * A server that proves its names by DNS: with a real lego, whose resolver is ours, an ACME authority, and name
 * servers. The code of the server runs unchanged; lego runs outside of its container.
 */
export class DnsServer {
  readonly host: Host;
  readonly pebble: Pebble;
  readonly names: NameServer;
  /** Signs the servers of a test; the site trusts it. */
  readonly authority: Pair;
  /** Settings of `tls` besides the authority. A test changes them. */
  tls: Readonly<Record<string, unknown>> = {};
  /** The email address of the account. */
  email = 'ops@example.org';
  /** The host names of the site. */
  hosts: Readonly<Record<string, string>> = {};
  readonly #root: string;

  private constructor(
    root: string,
    { lego }: Programs,
    { pebble, names, authority }: { pebble: Pebble; names: NameServer; authority: Pair },
  ) {
    this.#root = root;
    this.pebble = pebble;
    this.names = names;
    this.authority = authority;
    this.host = new Host(root, async (_file, args, options = {}) => {
      const asked = args.slice(args.indexOf('acme') + 1);
      const inside = asked.map((word) => (word === '/var/lib/lego' ? join(root, state) : word));
      const { site } = this.context();
      const secrets = await readSecrets(this.host, site);
      const [file] = renderAcme({ ...anyInput, site, secrets });
      const env = {
        ...(parseEnv(file?.content ?? '') as Record<string, string>),
        SSL_CERT_FILE: join(root, state, 'landfall-authority.pem'),
      };
      const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
      const command = ['--mount', 'sh', '-c', script, names.resolvConf, lego, ...inside];
      return await runCommand('unshare', command, { ...options, env });
    });
  }

  static async start(programs: Programs, options: Options): Promise<DnsServer> {
    const root = await mkdtemp(join(tmpdir(), 'landfall-dns-'));
    const { knotd, unbound } = programs;
    const names = await NameServer.start({ ...options, knotd, unbound });
    const dnsServer = names.resolver;
    const pebble = await Pebble.start(programs.pebble, '127.0.0.1', { dnsServer });
    const about = { subject: 'authority of a test', names: [], authority: true, days: 2 };
    const authority = await makePair(machine, about);
    return new DnsServer(root, programs, { pebble, names, authority });
  }

  /** Returns a certificate for a server of the test. */
  async pairFor(name: string): Promise<Pair> {
    return await makePair(machine, { subject: name, names: [name], days: 1 }, this.authority);
  }

  /** Returns a certificate that ended yesterday. */
  async expiredPairFor(address: string): Promise<Pair> {
    const { key } = await this.pairFor(address);
    const folder = await mkdtemp(join(tmpdir(), 'landfall-expired-'));
    const file = (name: string) => join(folder, name);
    await writeFile(file('ca.pem'), this.authority.chain);
    await writeFile(file('ca.key'), this.authority.key, { mode: 0o600 });
    await writeFile(file('key.pem'), key, { mode: 0o600 });
    await writeFile(file('extensions'), `subjectAltName = IP:${address}\n`);
    await machine.run('openssl', [
      ...['req', '-new', '-batch', '-subj', '/CN=past', '-key', file('key.pem')],
      ...['-out', file('request.pem')],
    ]);
    await machine.run('openssl', [
      ...['x509', '-req', '-in', file('request.pem'), '-days', '-1', '-out', file('leaf.pem')],
      ...['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-extfile', file('extensions')],
    ]);
    const leaf = await readFile(file('leaf.pem'), 'utf8');
    await rm(folder, { recursive: true });
    return { chain: `${leaf}${this.authority.chain}`, key };
  }

  context(): TestContext {
    const { directory: url, ca } = this.pebble;
    return contextFor(this.host, {
      site: {
        admin: { email: this.email, ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
        hosts: this.hosts,
        ca: this.authority.chain,
        tls: { mode: 'acme', accept_terms: true, server: { url, ca }, ...this.tls },
      },
    });
  }

  /** Requests a certificate, as `landfall tls renew` does. */
  async renew(): Promise<CertificatePlan> {
    const context = this.context();
    const authority = authorityOf(context.site);
    if (!authority) throw new Error('the site has no authority');
    return await acmePair(context, authority, async () => [], { force: true });
  }

  /** Sets secrets, as `landfall secret set` does. */
  async set(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await writeSecret(this.host, name, value);
  }

  /** Returns the path of a folder of lego on this machine. */
  folder(name: string): string {
    return join(this.#root, state, name);
  }

  /** Returns the log of the last run of lego. */
  async log(): Promise<string> {
    return await readFile(this.host.path(acmeLog), 'utf8');
  }

  async close(): Promise<void> {
    await this.pebble.stop();
    await this.names.stop();
    await rm(this.#root, { recursive: true });
  }
}

const anyInput = { server: { memory: 4e9, cpus: 2 }, images: [] };
