import { swarmFolder } from '#contract/server-paths.ts';
import { wireguardMtu } from '../../server/host/wireguard/interface.ts';

/** The interface of WireGuard between the first server and its nodes. */
export const swarmLink = 'wg-landfall';

/** Addresses of the servers on that interface; see RFC 2544 for the range. */
export const swarmNetwork = '198.19.253.0/24';

/** The address of the first server. */
export const firstAddress = addressOf(1);

/** Addresses that nodes can have. HAProxy has as many servers. */
export const nodeAddresses: readonly string[] = Array.from({ length: 20 }, (_, index) =>
  addressOf(index + 2),
);

/** Bytes of a packet on the overlay. */
export const swarmMtu = wireguardMtu;

/** The overlay between HAProxy and the nodes, and its addresses. */
export const overlay = { name: 'landfall-engines', subnet: '198.19.252.0/24' } as const;

/** Addresses for networks that Swarm creates without being asked. */
export const swarmPool = { base: '198.19.128.0/18', size: 26 } as const;

/** The ports of Swarm, on {@link swarmLink} only. */
export const swarmPorts = {
  /** Membership, at the first server (TCP). */
  manager: 2377,
  /** Gossip between all servers (TCP and UDP). */
  gossip: 7946,
  /** VXLAN: the packets of the overlay (UDP). */
  overlay: 4789,
} as const;

/** The private key of this server for WireGuard. */
export const keyFile = `${swarmFolder}/key`;

function addressOf(number: number): string {
  return swarmNetwork.replace(/0\/24$/, `${number}`);
}
