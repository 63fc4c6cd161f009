import { randomInt } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';

/** Addresses of one end of the network. */
export interface Addresses {
  readonly v4: string;
  readonly v6: string;
}

/**
 * A bridge with IPv4 and IPv6 for the servers under test and the clients outside of them. It has no
 * route to the internet: servers reach only services on its gateway, an address of this machine.
 */
export class HostNetwork {
  readonly name: string;
  readonly gateway: Addresses;
  readonly #network: Docker.Network;
  readonly #subnet: number;
  readonly #steps: Array<() => Promise<void>> = [];
  #last = 9;

  private constructor(network: Docker.Network, name: string, subnet: number) {
    this.#network = network;
    this.#subnet = subnet;
    this.name = name;
    this.gateway = addressesAt(subnet, 1);
  }

  static async open(engine: Docker): Promise<HostNetwork> {
    for (;;) {
      const subnet = freeSubnet();
      const network = await create(engine, subnet);
      if (network) return new HostNetwork(network, nameOf(subnet), subnet);
    }
  }

  /** Name of the bridge on this machine. */
  get bridge(): string {
    return `br-${this.#network.id.slice(0, 12)}`;
  }

  /** Unused addresses on this network. */
  take(): Addresses {
    this.#last += 1;
    return addressesAt(this.#subnet, this.#last);
  }

  /**
   * Lets a server of ours listen on the gateway until the network closes; port 0 selects a free
   * port.
   * @returns its URL, without a trailing slash
   */
  async serve(server: Server, port: number, at = this.gateway.v4): Promise<string> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, at, resolve);
    });
    this.#steps.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    const address = server.address();
    if (address === null || typeof address === 'string')
      throw new Error('the server does not listen');
    return `http://${at.includes(':') ? `[${at}]` : at}:${address.port}`;
  }

  /** Makes `127.0.0.1:port` of this machine reachable at the gateway. Returns the new address. */
  async forward(target: string): Promise<string> {
    const [host = '', port] = target.split(':');
    return new URL(await this.serve(forwarder(host, Number(port)), 0)).host;
  }

  /** Waits for the IPv6 address of the gateway, which a bridge has once a machine is connected. */
  async ipv6(limitSeconds = 20): Promise<void> {
    const end = performance.now() + limitSeconds * 1000;
    for (;;) {
      const server = createServer();
      const failed = await new Promise<Error | undefined>((resolve) => {
        server.once('error', resolve).listen(0, this.gateway.v6, () => resolve(undefined));
      });
      if (!failed) return void server.close();
      if (performance.now() > end) throw failed;
      await sleep(100);
    }
  }

  /** Makes a server on the gateway reachable over IPv6, on the same port. Returns its URL there. */
  async overIPv6(url: string): Promise<string> {
    const { hostname, port } = new URL(url);
    const number = Number(port || 80);
    return await this.serve(forwarder(hostname, number), number, this.gateway.v6);
  }

  /** Closed before the network is removed. */
  onClose(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Removes the network. Containers must be disconnected. */
  async close(): Promise<void> {
    for (const step of this.#steps.splice(0)) await step();
    await this.#network.remove();
  }
}

/** Returns a server that connects its clients to another one. */
function forwarder(host: string, port: number): Server {
  return createServer((socket) => {
    const there = connect(port, host);
    socket.on('close', () => there.destroy()).pipe(there);
    there.on('error', () => socket.destroy()).pipe(socket);
  });
}

const nameOf = (subnet: number) => `landfall-hosts-${subnet}`;

/** Creates the bridge; returns undefined if another test has just taken the range. */
async function create(engine: Docker, subnet: number): Promise<Docker.Network | undefined> {
  const [base, gateway] = [addressesAt(subnet, 0), addressesAt(subnet, 1)];
  try {
    return await engine.createNetwork({
      Name: nameOf(subnet),
      CheckDuplicate: true,
      EnableIPv6: true,
      IPAM: {
        Driver: 'default',
        Config: [
          { Subnet: `${base.v4}/24`, Gateway: gateway.v4 },
          { Subnet: `${base.v6}/64`, Gateway: gateway.v6 },
        ],
      },
    });
  } catch (error) {
    if (error instanceof Error && /overlap|already exists/.test(error.message)) return undefined;
    throw error;
  }
}

/** Private ranges that Docker does not use for networks of its own. */
function addressesAt(subnet: number, host: number): Addresses {
  // The stack has ranges of its own below 0x100.
  const last = host === 0 ? '' : host.toString(16);
  return {
    v4: `10.214.${subnet}.${host}`,
    v6: `fd4c:616e:6466:${(0x100 + subnet).toString(16)}::${last}`,
  };
}

/** Parallel runs on one machine use different ranges. */
function freeSubnet(): number {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const taken = new Set(interfaces.map(({ address }) => address));
  for (;;) {
    const subnet = randomInt(1, 255);
    if (!taken.has(addressesAt(subnet, 1).v4)) return subnet;
  }
}
