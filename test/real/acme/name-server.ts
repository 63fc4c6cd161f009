import { Resolver } from 'node:dns/promises';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DaemonProcess, startDaemon } from '../../setup/daemon.ts';

/** The TSIG key that may change the zone. */
export const tsig = {
  name: 'landfall',
  secret: 'bGFuZGZhbGwtbGFuZGZhbGwtbGFuZGZhbGwtMDE=',
} as const;

/** A real authoritative server of one zone, Knot, that accepts updates (RFC 2136) with a key. */
export class NameServer {
  /** For lego, instead of the resolvers of this machine. */
  readonly resolvConf: string;
  /** `address:port`. */
  readonly address: string;
  readonly #folder: string;
  readonly #daemon: DaemonProcess;

  private constructor(folder: string, address: string, daemon: DaemonProcess) {
    this.resolvConf = join(folder, 'resolv.conf');
    this.address = `${address}:53`;
    this.#folder = folder;
    this.#daemon = daemon;
  }

  /** @param address a loopback address, whose port 53 is free */
  static async start(knotd: string, zone: string, address: string): Promise<NameServer> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-knot-'));
    await mkdir(join(folder, 'run'));
    await writeFile(join(folder, 'resolv.conf'), `nameserver ${address}\n`);
    await writeFile(join(folder, 'zone'), zoneText(zone, address));
    await writeFile(join(folder, 'knot.conf'), settings(folder, zone, address));
    const resolver = new Resolver();
    resolver.setServers([`${address}:53`]);
    const daemon = await startDaemon({
      command: knotd,
      args: ['--config', join(folder, 'knot.conf')],
      log: join(folder, 'knot.log'),
      ready: async () => (await resolver.resolveNs(zone))[0],
    });
    return new NameServer(folder, address, daemon);
  }

  async stop(): Promise<void> {
    await this.#daemon.stop();
    await rm(this.#folder, { recursive: true });
  }
}

function zoneText(zone: string, address: string): string {
  return `${zone}. 60 SOA ns1.${zone}. admin.${zone}. 1 3600 600 86400 60
${zone}. 60 NS ns1.${zone}.
ns1.${zone}. 60 A ${address}
`;
}

function settings(folder: string, zone: string, address: string): string {
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
- domain: ${zone}
  file: ${folder}/zone
  zonefile-sync: -1
  acl: updates
`;
}
