import { randomInt } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
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
  async serve(server: Server, port: number): Promise<string> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, this.gateway.v4, resolve);
    });
    this.#steps.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    const address = server.address();
    if (address === null || typeof address === 'string')
      throw new Error('the server does not listen');
    return `http://${this.gateway.v4}:${address.port}`;
  }

  /** Makes `127.0.0.1:port` of this machine reachable at the gateway. Returns the new address. */
  async forward(target: string): Promise<string> {
    const [host, port] = target.split(':');
    const server = createServer((socket) => {
      const there = connect(Number(port), host);
      socket.on('close', () => there.destroy()).pipe(there);
      there.on('error', () => socket.destroy()).pipe(socket);
    });
    return new URL(await this.serve(server, 0)).host;
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
  const last = host === 0 ? '' : host.toString(16);
  return { v4: `10.214.${subnet}.${host}`, v6: `fd4c:616e:6466:${subnet.toString(16)}::${last}` };
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
