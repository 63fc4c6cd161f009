import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import { execIn } from '../machine/exec.ts';
import type { Addresses, HostNetwork } from './network.ts';

/**
 * The way of all machines of a network to anything outside of it. It is closed: packets are counted
 * and dropped, except those to the name server, to given ports of this machine and from exempt
 * machines. The rules are in the network namespace of this machine, where servers cannot change them.
 */
export class Uplink {
  readonly #container: Docker.Container;
  readonly #table: string;
  readonly #bridge: string;

  private constructor(container: Docker.Container, { name, bridge }: HostNetwork) {
    this.#container = container;
    this.#table = `inet ${name}`;
    this.#bridge = bridge;
  }

  /** @param options.image an image with nft, which this machine may lack */
  static async close(
    engine: Docker,
    network: HostNetwork,
    { image, ports }: { image: string; ports: readonly number[] },
  ): Promise<Uplink> {
    const container = await engine.createContainer({
      name: `uplink-${randomUUID().slice(0, 6)}`,
      Image: image,
      Entrypoint: ['sleep', 'infinity'],
      HostConfig: { NetworkMode: 'host', CapAdd: ['NET_ADMIN'], Init: true },
    });
    await container.start();
    const uplink = new Uplink(container, network);
    await uplink.#nft(rules(network, ports));
    return uplink;
  }

  /** Lets a machine use every port of this machine. */
  async exempt({ v4, v6 }: Addresses): Promise<void> {
    const add = (set: string, address: string) =>
      `add element ${this.#table} ${set} { ${address} }\n`;
    await this.#nft(add('exempt4', v4) + add('exempt6', v6));
  }

  /** Returns the destinations of dropped packets with their number, as in `203.0.113.1 tcp 443: 2`. */
  async dropped(): Promise<string[]> {
    const json = await this.#nft('', ['--json', 'list', 'table', ...this.#words()]);
    const { nftables } = JSON.parse(json) as {
      nftables: ReadonlyArray<{ set?: NftSet; counter?: { name: string; packets: number } }>;
    };
    const seen = nftables.flatMap(({ set }) => (/^direct/.test(set?.name ?? '') ? set?.elem : []));
    const lines = (seen ?? []).flatMap((each) => (each ? [lineOf(each)] : []));
    const packets = nftables.find(({ counter }) => counter)?.counter?.packets ?? 0;
    // The counter also has packets without a port.
    return packets === 0 || lines.length > 0 ? lines : [`other packets: ${packets}`];
  }

  /** Gives this machine another address on the network, such as one of the internet. */
  async addAddress(address: string): Promise<void> {
    const words = ['ip', 'address', 'add', `${address}/32`, 'dev', this.#bridge];
    const ran = await execIn(this.#container, words);
    if (ran.exitCode !== 0) throw new Error(`${words.join(' ')} failed: ${ran.stderr}`);
  }

  /** Removes the rules. */
  async remove(): Promise<void> {
    await this.#nft(`delete table ${this.#table}\n`);
    await this.#container.remove({ force: true });
  }

  #words(): string[] {
    return this.#table.split(' ');
  }

  async #nft(input: string, args: readonly string[] = ['--file', '-']): Promise<string> {
    const ran = await execIn(this.#container, ['nft', ...args], { input });
    if (ran.exitCode !== 0) throw new Error(`nft failed: ${ran.stderr}`);
    return ran.stdout;
  }
}

interface NftSet {
  readonly name: string;
  readonly elem?: ReadonlyArray<{
    readonly elem: {
      readonly val: { readonly concat: readonly unknown[] };
      readonly counter: { readonly packets: number };
    };
  }>;
}

function lineOf({ elem }: NonNullable<NftSet['elem']>[number]): string {
  return `${elem.val.concat.join(' ')}: ${elem.counter.packets}`;
}

/** After connection tracking, which knows replies to this machine. */
function rules({ name, bridge, gateway }: HostNetwork, ports: readonly number[]): string {
  const open = ports.length === 0 ? '' : `ip daddr ${gateway.v4} tcp dport { ${ports} } accept`;
  const address = (version: 4 | 6) => `type ipv${version}_addr`;
  // With the module br_netfilter, packets between machines of the bridge are seen here too.
  const isBetweenMachines = (version: 4 | 6) => {
    const [ip, own] = version === 4 ? ['ip', gateway.v4] : ['ip6', gateway.v6];
    const subnet = version === 4 ? own.replace(/\d+$/, '0/24') : own.replace(/[^:]+$/, '/64');
    return `${ip} daddr != ${own} ${ip} daddr ${subnet} accept`;
  };
  const seen = (version: 4 | 6) =>
    `set direct${version} { ${address(version)} . inet_proto . inet_service; flags dynamic; counter; }`;
  // A killed run leaves its table.
  return `add table inet ${name}
delete table inet ${name}
table inet ${name} {
  counter direct { }
  set exempt4 { ${address(4)}; }
  set exempt6 { ${address(6)}; }
  ${seen(4)}
  ${seen(6)}
  chain uplink {
    type filter hook prerouting priority mangle; policy accept;
    iifname "${bridge}" jump machines
  }
  chain machines {
    ip saddr @exempt4 accept
    ip6 saddr @exempt6 accept
    ct state established,related ct direction reply accept
    ip daddr ${gateway.v4} udp dport 53 accept
    ${open}
    ${isBetweenMachines(4)}
    ${isBetweenMachines(6)}
    meta l4proto icmpv6 icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept
    ip6 daddr ff00::/8 accept
    ip daddr { 224.0.0.0/4, 255.255.255.255 } accept
    # Late replies to networks that a server removed, such as that of its test of SSH.
    ip daddr 192.0.2.0/24 drop
    ip6 daddr fc00::/7 drop
    counter name direct
    meta l4proto { tcp, udp } update @direct4 { ip daddr . meta l4proto . th dport }
    meta l4proto { tcp, udp } update @direct6 { ip6 daddr . meta l4proto . th dport }
    drop
  }
}
`;
}
