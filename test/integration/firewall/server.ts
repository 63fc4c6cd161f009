import { enginePort } from '#contract/site/engines/engine-node.ts';
import { Namespace } from './namespaces.ts';

export interface Address {
  readonly v4: string;
  readonly v6: string;
}

/** Addresses of a server in its three networks. */
export const addresses = {
  server: { v4: '192.0.2.1', v6: '2001:db8:1::1' },
  neighbour: { v4: '192.0.2.2', v6: '2001:db8:1::2' },
  bridge: { v4: '172.30.0.1', v6: 'fd00:30::1' },
  container: { v4: '172.30.0.2', v6: 'fd00:30::2' },
} as const;

/** Published by the server: this port is forwarded to port 80 of the container, as with Docker. */
export const published = 8080;

/**
 * A server with a neighbour outside and a container on a bridge. Its port is published as Docker
 * does: by destination NAT at priority -100, with forwarding enabled.
 */
export class Server {
  readonly host: Namespace;
  readonly neighbour: Namespace;
  readonly container: Namespace;

  private constructor(host: Namespace, neighbour: Namespace, container: Namespace) {
    this.host = host;
    this.neighbour = neighbour;
    this.container = container;
  }

  static async open(root: string): Promise<Server> {
    const [host, neighbour, container] = await Promise.all([
      Namespace.open(),
      Namespace.open(),
      Namespace.open(),
    ]);
    const server = new Server(host, neighbour, container);
    await server.#connect();
    const nat = await host.runIn(root, ['nft', '--file', '-'], publishing);
    if (nat.exitCode !== 0) throw new Error(nat.all);
    return server;
  }

  close(): void {
    for (const namespace of [this.host, this.neighbour, this.container]) namespace.close();
  }

  async #connect(): Promise<void> {
    const { host, neighbour, container } = this;
    await host.connect('eth0', neighbour, 'eth0');
    await host.run('ip link add br-test type bridge');
    await host.run('ip link set br-test up');
    await host.connect('veth1', container, 'eth0');
    await host.run('ip link set veth1 master br-test');
    await host.run('sysctl -q -w net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1');
    // Old Docker versions set this for ports published on the loopback address.
    await host.run('sysctl -q -w net.ipv4.conf.all.route_localnet=1');
    await assign(host, 'eth0', addresses.server);
    await assign(host, 'br-test', addresses.bridge);
    await assign(neighbour, 'eth0', addresses.neighbour);
    await assign(container, 'eth0', addresses.container);
    for (const [namespace, { v4, v6 }] of [
      [neighbour, addresses.server],
      [container, addresses.bridge],
    ] as const) {
      await namespace.run(`ip route add default via ${v4}`);
      await namespace.run(`ip -6 route add default via ${v6}`);
    }
  }
}

async function assign(namespace: Namespace, link: string, { v4, v6 }: Address): Promise<void> {
  await namespace.run(`ip address add ${v4}/24 dev ${link}`);
  await namespace.run(`ip address add ${v6}/64 dev ${link} nodad`);
}

const publishing = `table inet engine {
	chain incoming {
		type nat hook prerouting priority dstnat;
		iifname != "br-test" meta nfproto ipv4 tcp dport { ${published}, 443, ${enginePort} } dnat ip to ${addresses.container.v4}:80
		iifname != "br-test" meta nfproto ipv6 tcp dport { ${published}, 443, ${enginePort} } dnat ip6 to [${addresses.container.v6}]:80
	}
}
`;
