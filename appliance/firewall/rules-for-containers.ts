import { metadataRanges, privateRanges } from '../host/private-ranges.ts';
import type { Destination } from './destinations.ts';
import { loopback, neighbours, pings } from './rules-for-both.ts';

/** Interfaces of Docker's networks. All others lead outside. */
export const containerLinks = ['"docker*"', '"br-*"', '"veth*"'];

/** Containers reach only the public ports of the gateway on the host. */
export const fromContainers = [
  ...loopback,
  'ct state established,related accept',
  `ip6 hoplimit 255 icmpv6 type { ${neighbours} } accept`,
  'jump private-endpoints',
  'fib daddr type local tcp dport { 80, 443 } accept',
  ...pings.map((rule) => `fib daddr type local ${rule}`),
  // A program on a wildcard address also receives broadcasts, multicasts, and packets to the anycast
  // address of an IPv6 network.
  'fib daddr type { local, broadcast, multicast, anycast } drop',
];

/** Rules for traffic from containers to other hosts. Docker filters traffic between its networks. */
export const toOutside = [
  'ct state established,related accept',
  ...containerLinks.map((link) => `oifname ${link} accept`),
  // The resolvers of many clouds have link-local or private addresses.
  'meta l4proto { tcp, udp } th dport 53 accept',
  ...refusals(metadataRanges),
  'jump private-endpoints',
  ...refusals(privateRanges),
];

function refusals({ v4, v6 }: { v4: readonly string[]; v6: readonly string[] }): string[] {
  return [
    `ip daddr { ${v4.join(', ')} } reject with icmpx type admin-prohibited`,
    `ip6 daddr { ${v6.join(', ')} } reject with icmpx type admin-prohibited`,
  ];
}

/** Renders the rule that allows containers to reach a private endpoint. */
export function allowDestination({ address, port }: Destination): string {
  return `${address.includes(':') ? 'ip6' : 'ip'} daddr ${address} tcp dport ${port} accept`;
}
