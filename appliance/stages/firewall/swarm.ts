import { swarmLink, swarmNetwork, swarmPorts } from '../../nodes/swarm/network.ts';
import type { Host } from '../../server/host/host.ts';

/** What a server is in a Swarm. */
export type SwarmPart = 'first' | 'node';

/** Sends packets of the Swarm's interface to {@link fromSwarm}. */
export const toSwarm = `iifname "${swarmLink}" goto from-swarm`;

/**
 * Renders the rules for the ports of Swarm, which are open on its interface only: Docker listens for VXLAN
 * on all interfaces, and takes forged packets. The first server forwards between the nodes.
 */
export function fromSwarm(part: SwarmPart): string[] {
  const { manager, gossip, overlay } = swarmPorts;
  const tcp = part === 'first' ? `{ ${manager}, ${gossip} }` : `${gossip}`;
  return [
    `ip saddr != ${swarmNetwork} drop`,
    'ct state established,related accept',
    `ip daddr ${swarmNetwork} tcp dport ${tcp} accept`,
    `ip daddr ${swarmNetwork} udp dport { ${overlay}, ${gossip} } accept`,
    'icmp type echo-request accept',
    'counter drop',
  ];
}

/** Whether UFW opens the interface of the Swarm, and lets the first server forward. */
export interface SwarmInUfw {
  readonly opensSwarm: boolean;
  readonly forwardsSwarm: boolean;
}

/** Our table opens single ports of the interface. */
const inRule = ['allow', 'in', 'on', swarmLink];
const forwardRule = [...inRule, 'out', 'on', swarmLink];
const inRow = new RegExp(`^Anywhere on ${swarmLink} +ALLOW IN +Anywhere`, 'm');
const forwardRow = new RegExp(
  `^Anywhere on ${swarmLink} +ALLOW FWD +Anywhere on ${swarmLink}`,
  'm',
);

/** Parses `ufw status verbose`. */
export function parseSwarmInUfw(text: string): SwarmInUfw {
  return { opensSwarm: inRow.test(text), forwardsSwarm: forwardRow.test(text) };
}

/** Makes UFW allow what a server in a Swarm needs, and nothing on another one. */
export async function setUpSwarmInUfw(
  host: Host,
  { opensSwarm, forwardsSwarm }: SwarmInUfw,
  part: SwarmPart | undefined,
): Promise<void> {
  if (part && !opensSwarm) await host.run('ufw', inRule);
  if (!part && opensSwarm) await host.run('ufw', ['delete', ...inRule]);
  const isFirst = part === 'first';
  if (isFirst && !forwardsSwarm) await host.run('ufw', ['route', ...forwardRule]);
  if (!isFirst && forwardsSwarm) await host.run('ufw', ['route', 'delete', ...forwardRule]);
}

/** Returns where UFW differs from what the server is in a Swarm. */
export function swarmProblems(
  { opensSwarm, forwardsSwarm }: SwarmInUfw,
  part: SwarmPart | undefined,
): string[] {
  const none = 'of a Swarm that this server does not have';
  const messages = [
    part && !opensSwarm && 'UFW closes the ports of the Swarm',
    !part && opensSwarm && `UFW opens the interface ${none}`,
    part === 'first' && !forwardsSwarm && 'UFW does not forward between the nodes of the Swarm',
    part !== 'first' && forwardsSwarm && `UFW forwards between nodes ${none}`,
  ];
  return messages.filter((message) => typeof message === 'string');
}
