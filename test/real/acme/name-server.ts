import { Resolver } from 'node:dns/promises';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { type DaemonProcess, startDaemon } from '../../setup/daemon.ts';

/** The TSIG key that may change the zones. */
export const tsig = {
  name: 'updates.example',
  secret: 'bGFuZGZhbGwtbGFuZGZhbGwtbGFuZGZhbGwtMDE=',
} as const;

interface Options {
  /** Paths of the programs. */
  readonly knotd: string;
  readonly unbound: string;
  readonly zones: readonly string[];
  /** Addresses of this machine whose port 53 is free: of the name server, and of the resolver. */
  readonly addresses: readonly [authoritative: string, recursive: string];
  /** More addresses by name, for the resolver. */
  readonly names?: Readonly<Record<string, string>>;
  /** Who may use the resolver. Default: this machine. */
  readonly clients?: string;
}

/**
 * A real authoritative server, Knot, that accepts updates (RFC 2136) with a key, and a real recursive one,
 * Unbound, that knows no other zones and caches nothing.
 */
export class NameServer {
  /** For lego, instead of the resolvers of this machine. */
  readonly resolvConf: string;
  /** `address:port` of the authoritative server. */
  readonly address: string;
  /** `address:port` of the recursive one. */
  readonly resolver: string;
  readonly #folder: string;
  readonly #control: string;
  readonly #daemons: readonly DaemonProcess[];

  private constructor(folder: string, { addresses, knotd }: Options, daemons: DaemonProcess[]) {
    const [authoritative, recursive] = addresses;
    this.resolvConf = join(folder, 'resolv.conf');
    this.address = `${authoritative}:53`;
    this.resolver = `${recursive}:53`;
    this.#folder = folder;
    this.#control = join(dirname(knotd), 'knotc');
    this.#daemons = daemons;
  }

  static async start(options: Options): Promise<NameServer> {
    const { knotd, unbound, zones, addresses } = options;
    const [authoritative, recursive] = addresses;
    const folder = await mkdtemp(join(tmpdir(), 'landfall-names-'));
    await mkdir(join(folder, 'run'));
    await writeFile(join(folder, 'resolv.conf'), `nameserver ${recursive}\n`);
    for (const zone of zones) await writeFile(join(folder, zone), zoneText(zone, authoritative));
    await writeFile(join(folder, 'knot.conf'), knotSettings(folder, zones, authoritative));
    await writeFile(join(folder, 'unbound.conf'), unboundSettings(folder, options));
    const [first = ''] = zones;
    const run = async (command: string, args: string[], address: string) =>
      await startDaemon({
        command,
        args,
        log: join(folder, 'log'),
        ready: async () => await nameServerOf(first, address),
      });
    const knot = await run(knotd, ['--config', join(folder, 'knot.conf')], authoritative);
    const args = ['-d', '-p', '-c', join(folder, 'unbound.conf')];
    return new NameServer(folder, options, [knot, await run(unbound, args, recursive)]);
  }

  /** Replaces the records of one name and type. @param values in the format of zone files; empty: removes them */
  async set(zone: string, name: string, type: string, values: readonly string[]): Promise<void> {
    await this.#knotc('zone-begin', zone);
    await this.#knotc('zone-unset', zone, name, type).catch((error) => {
      if (!/not exists|no such/.test(String(error))) throw error;
    });
    for (const value of values) await this.#knotc('zone-set', zone, name, '0', type, value);
    await this.#knotc('zone-commit', zone);
    // The resolver keeps an answer for the rest of a second, also one that may not be cached.
    const full = name === '@' ? zone : `${name}.${zone}`;
    while ((await found(full, type, this.address)) !== (await found(full, type, this.resolver))) {
      await sleep(100);
    }
  }

  /** Returns the values of the TXT records of a name, from the authoritative server. */
  async texts(name: string): Promise<string[]> {
    const resolver = new Resolver();
    resolver.setServers([this.address]);
    const found = await resolver.resolveTxt(name).catch(() => []);
    return found.map((parts) => parts.join(''));
  }

  async stop(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.stop();
    await rm(this.#folder, { recursive: true });
  }

  async #knotc(...args: string[]): Promise<void> {
    await execa(this.#control, ['--config', join(this.#folder, 'knot.conf'), ...args]);
  }
}

/** Returns what a server knows of a name, for comparison. */
async function found(name: string, type: string, server: string): Promise<string> {
  const resolver = new Resolver();
  resolver.setServers([server]);
  const values = await resolver.resolve(name, type).catch(() => []);
  return JSON.stringify(values);
}

async function nameServerOf(zone: string, address: string): Promise<string | undefined> {
  const resolver = new Resolver();
  resolver.setServers([`${address}:53`]);
  const [found] = await resolver.resolveNs(zone);
  return found;
}

function zoneText(zone: string, address: string): string {
  return `${zone}. 60 SOA ns1.${zone}. admin.${zone}. 1 3600 600 86400 60
${zone}. 60 NS ns1.${zone}.
ns1.${zone}. 60 A ${address}
`;
}

function knotSettings(folder: string, zones: readonly string[], address: string): string {
  const each = zones.map(
    (zone) => `- domain: ${zone}
  file: ${folder}/${zone}
  zonefile-sync: -1
  acl: updates
`,
  );
  return `server:
  rundir: ${folder}/run
  listen: ${address}@53
database:
  storage: ${folder}/run
key:
- id: ${tsig.name}
  algorithm: hmac-sha256
  secret: ${tsig.secret}
acl:
- id: updates
  key: ${tsig.name}
  action: update
zone:
${each.join('')}`;
}

function unboundSettings(folder: string, options: Options): string {
  const { zones, addresses, names = {}, clients = '127.0.0.0/8' } = options;
  const [authoritative, recursive] = addresses;
  const known = Object.entries(names).map(
    ([name, address]) => `  local-data: "${name}. A ${address}"\n`,
  );
  const stubs = [...zones, '.'].map(
    (zone) => `stub-zone:\n  name: "${zone}"\n  stub-addr: ${authoritative}\n`,
  );
  return `server:
  interface: ${recursive}
  access-control: ${clients} allow
  access-control: 127.0.0.0/8 allow
  do-not-query-localhost: no
  module-config: "iterator"
  username: ""
  chroot: ""
  directory: "${folder}"
  pidfile: ""
  use-syslog: no
  cache-max-ttl: 0
  cache-max-negative-ttl: 0
${known.join('')}remote-control:
  control-enable: no
${stubs.join('')}`;
}
