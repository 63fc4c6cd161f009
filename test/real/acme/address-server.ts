import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Host } from '../../../appliance/server/host/host.ts';
import { type RunCommand, runCommand } from '../../../appliance/server/host/run/command.ts';
import {
  acmePair,
  type CertificatePlan,
  type Urgency,
} from '../../../appliance/stages/tls/acme-pair.ts';
import { authorityOf } from '../../../appliance/stages/tls/authority.ts';
import { contextFor } from '../../appliance/context.ts';
import { Pebble } from '../../integration/acme/pebble.ts';

const state = 'var/lib/landfall/acme';

/**
 * A server without a host name on loopback addresses, with a real lego and an ACME authority. Its
 * port 80 serves the challenges, as the gateway does.
 */
export class AddressServer {
  readonly pebble: Pebble;
  readonly #root: string;
  readonly #host: Host;
  readonly #servers: readonly Server[];

  private constructor(root: string, host: Host, pebble: Pebble, servers: readonly Server[]) {
    this.#root = root;
    this.#host = host;
    this.pebble = pebble;
    this.#servers = servers;
  }

  /**
   * @param programs the folder of `test/setup/pebble.ts`, and paths of programs
   * @param addresses loopback addresses of this server
   */
  static async start(
    programs: {
      readonly pebble: string;
      readonly newerPebble: string;
      readonly lego: string;
    },
    addresses: readonly string[],
  ): Promise<AddressServer> {
    const root = await mkdtemp(join(tmpdir(), 'landfall-address-'));
    const newer = programs.newerPebble;
    const pebble = await Pebble.start(programs.pebble, '127.0.0.1', { newer });
    const servers = await Promise.all(addresses.map((address) => serveChallenges(root, address)));
    const host = new Host(root, commandsOf(root, programs.lego, addresses));
    return new AddressServer(root, host, pebble, servers);
  }

  /** Requests or renews the certificate, as the timer of a server does. */
  async ensure(urgency: Urgency = {}): Promise<CertificatePlan> {
    const { directory: url, ca } = this.pebble;
    const context = contextFor(this.#host, {
      site: {
        admin: { email: 'ops@example.org', ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
        tls: { mode: 'acme-ip', accept_terms: true, server: { url, ca } },
      },
    });
    const authority = authorityOf(context.site);
    if (!authority) throw new Error('the site has no authority');
    return await acmePair(context, authority, async () => [], urgency);
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    await this.pebble.stop();
    await rm(this.#root, { recursive: true });
  }
}

async function serveChallenges(root: string, address: string): Promise<Server> {
  const folder = join(root, state, 'challenges/.well-known/acme-challenge');
  const server = createServer(async (request, response) => {
    const answer = await readFile(join(folder, basename(request.url ?? ''))).catch(() => undefined);
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(80, address, resolve);
  });
  return server;
}

/** The server's commands: its addresses, and lego with the folders that `compose.yaml` mounts. */
function commandsOf(root: string, lego: string, addresses: readonly string[]): RunCommand {
  const mounts = new Map([
    ['/var/lib/landfall/challenges', join(root, state, 'challenges')],
    ['/var/lib/lego', join(root, state, 'config')],
  ]);
  return async (file, args, options = {}) => {
    if (file === 'ip') return { code: 0, stdout: addressJson(addresses), stderr: '' };
    const start = args.indexOf('acme');
    if (file !== 'docker' || start === -1) throw new Error(`unexpected command: ${file} ${args}`);
    const asked = args.slice(start + 1).map((word) => mounts.get(word) ?? word);
    const bundle = options.env?.ACME_CA_BUNDLE?.replace(
      /^\/var\/lib\/lego/,
      join(root, state, 'config'),
    );
    return await runCommand(lego, asked, {
      ...options,
      env: bundle === undefined ? {} : { SSL_CERT_FILE: bundle },
    });
  };
}

/** Output format of `ip -json address`. */
function addressJson(addresses: readonly string[]): string {
  const entries = addresses.map((local) => ({
    family: local.includes(':') ? 'inet6' : 'inet',
    local,
  }));
  return JSON.stringify([{ ifname: 'eth0', addr_info: entries }]);
}
