import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePair } from '../../../appliance/server/certificates/make-pair.ts';
import type { Pair } from '../../../appliance/server/certificates/pair.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import { runCommand } from '../../../appliance/server/host/run/command.ts';
import { type DaemonProcess, startDaemon } from '../../setup/daemon.ts';
import { freePort } from '../../setup/free-port.ts';
import { commandIn } from '../../setup/vm/qemu.ts';

/** Names that the authority always rejects. */
export const blockedDomain = 'blocked.example';

/** How long a certificate of the short profile is valid. */
export const shortHours = 160;

interface PebbleOptions {
  /** A name under which servers reach the address, such as over IPv6. */
  readonly name?: string;
  /** What it asks instead of its own DNS server, as `address:port`. */
  readonly dnsServer?: string;
  /** Path of a newer Pebble with the profiles of Let's Encrypt. */
  readonly newer?: string;
}

/**
 * An ACME authority with its own DNS server, for one test: Pebble, the test server of Let's
 * Encrypt. It validates on port 80 of the addresses in the records.
 */
export class Pebble {
  /** URL of its directory. */
  readonly directory: string;
  /** PEM certificate that verifies that URL. */
  readonly ca: string;
  /** `address:port` of the DNS server. */
  readonly dns: string;
  readonly #address: string;
  readonly #folder: string;
  readonly #daemons: readonly DaemonProcess[];
  readonly #ports: Ports;

  private constructor(options: {
    readonly address: string;
    readonly name: string;
    readonly ca: string;
    readonly folder: string;
    readonly ports: Ports;
    readonly daemons: readonly DaemonProcess[];
  }) {
    this.directory = `https://${options.name}:${options.ports.acme}/dir`;
    this.#address = options.address;
    this.ca = options.ca;
    this.dns = `127.0.0.1:${options.ports.dns}`;
    this.#folder = options.folder;
    this.#daemons = options.daemons;
    this.#ports = options.ports;
  }

  /**
   * @param packages the folder of `test/setup/pebble.ts`
   * @param address an address of this machine that lego reaches
   */
  static async start(
    packages: string,
    address: string,
    { name = address, dnsServer, newer }: PebbleOptions = {},
  ): Promise<Pebble> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-pebble-'));
    const ports = await findPorts(address);
    const machine = new Host('/', runCommand);
    const made = { subject: 'authority for tests', names: [], authority: true, days: 2 };
    const authority = await makePair(machine, made);
    const server = {
      subject: 'authority for tests',
      names: [...new Set([address, name])],
      days: 1,
    };
    await writeSettings(folder, address, ports, await makePair(machine, server, authority));
    const start = async (
      program: string,
      args: readonly string[],
      ready: () => Promise<string>,
      command: readonly string[] = commandIn(packages, `usr/bin/${program}`, []).flat(),
    ) =>
      await startDaemon({
        command: 'env',
        // Disables Pebble's random delays, rejections and reuse of authorizations.
        args: [
          ...['PEBBLE_VA_NOSLEEP=1', 'PEBBLE_WFE_NONCEREJECT=0', 'PEBBLE_AUTHZREUSE=0'],
          ...command,
          ...args,
        ],
        log: join(folder, `${program}.log`),
        ready,
      });
    const dns = await start('pebble-challtestsrv', dnsArguments(ports), async () => {
      await fetch(`http://127.0.0.1:${ports.dnsManagement}/`);
      return 'ready';
    });
    const acme = await start(
      'pebble',
      ['-config', join(folder, 'pebble.json'), '-dnsserver', dnsServer ?? `127.0.0.1:${ports.dns}`],
      async () => await get(`https://${address}:${ports.acme}/dir`, authority.chain),
      newer === undefined ? undefined : [newer],
    );
    return new Pebble({ address, name, ca: authority.chain, folder, ports, daemons: [acme, dns] });
  }

  /** Sets the addresses of a name; an empty list removes it. */
  async setRecord(name: string, addresses: readonly string[]): Promise<void> {
    const host = `${name}.`;
    for (const [type, family] of [['a', 4] as const, ['aaaa', 6] as const]) {
      const own = addresses.filter((address) => isIP(address) === family);
      await this.#manage(`clear-${type}`, { host });
      if (own.length > 0) await this.#manage(`add-${type}`, { host, addresses: own });
    }
  }

  /** PEM of the root of the issued certificates; new at every start. */
  async root(): Promise<string> {
    return await this.#show('roots/0');
  }

  /** PEM of the intermediate that issues the certificates. */
  async intermediate(): Promise<string> {
    return await this.#show('intermediates/0');
  }

  async stop(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.stop();
    await rm(this.#folder, { recursive: true });
  }

  async #show(path: string): Promise<string> {
    return await get(`https://${this.#address}:${this.#ports.management}/${path}`, this.ca);
  }

  async #manage(action: string, body: unknown): Promise<void> {
    const url = `http://127.0.0.1:${this.#ports.dnsManagement}/${action}`;
    const { ok } = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    if (!ok) throw new Error(`DNS server: ${action} failed`);
  }
}

interface Ports {
  readonly acme: number;
  readonly management: number;
  readonly dns: number;
  readonly dnsManagement: number;
}

async function writeSettings(
  folder: string,
  address: string,
  ports: Ports,
  { chain, key }: Pair,
): Promise<void> {
  await writeFile(join(folder, 'api.pem'), chain);
  await writeFile(join(folder, 'api.key'), key, { mode: 0o600 });
  const pebble = {
    listenAddress: `${address}:${ports.acme}`,
    managementListenAddress: `${address}:${ports.management}`,
    certificate: join(folder, 'api.pem'),
    privateKey: join(folder, 'api.key'),
    httpPort: 80,
    tlsPort: 443,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    domainBlocklist: [blockedDomain],
    retryAfter: { authz: 1, order: 1 },
    // Unknown to older versions. Seconds.
    profiles: {
      default: { description: 'the default profile', validityPeriod: 90 * 86_400 },
      shortlived: { description: 'six days', validityPeriod: shortHours * 3600 },
    },
  };
  await writeFile(join(folder, 'pebble.json'), JSON.stringify({ pebble }));
}

/** No name has a record until a test adds one. */
function dnsArguments({ dns, dnsManagement }: Ports): string[] {
  return [
    ...['-defaultIPv4', '', '-defaultIPv6', '', '-dns01', `127.0.0.1:${dns}`],
    ...['-http01', '', '-https01', '', '-tlsalpn01', '', '-doh', ''],
    ...['-management', `127.0.0.1:${dnsManagement}`],
  ];
}

async function findPorts(address: string): Promise<Ports> {
  return {
    acme: await freePort(address),
    management: await freePort(address),
    dns: await freePortOfDatagrams(),
    dnsManagement: await freePort('127.0.0.1'),
  };
}

async function freePortOfDatagrams(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(resolve));
  return port;
}

async function get(url: string, ca: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    // Newer versions require the name of the client (RFC 8555, 6.1).
    const headers = { 'user-agent': 'landfall-test' };
    const sent = secureRequest(url, { ca, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.once('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode}`)),
      );
    });
    sent.once('error', reject);
    sent.end();
  });
}
