import type { Destination } from './destinations.ts';
import { metadataRanges, privateRanges } from './private-ranges.ts';
import { loopback, neighbours, pings } from './rules-for-both.ts';

/** Interfaces of Docker's networks. Every other one, known or not, leads outside. */
export const containerLinks = ['"docker*"', '"br-*"', '"veth*"'];

/** Of the host itself, containers reach what the world reaches of the gateway, and no more. */
export const fromContainers = [
  ...loopback,
  'ct state established,related accept',
  `ip6 hoplimit 255 icmpv6 type { ${neighbours} } accept`,
  'jump needed-places',
  'fib daddr type local tcp dport { 80, 443 } accept',
  ...pings.map((rule) => `fib daddr type local ${rule}`),
  // A program that listens on every address also receives broadcasts, multicasts, and what is sent to
  // the first address of an IPv6 network.
  'fib daddr type { local, broadcast, multicast, anycast } drop',
];

/** Where containers may go beyond the server. Between networks of its own, Docker decides. */
export const toOutside = [
  'ct state established,related accept',
  ...containerLinks.map((link) => `oifname ${link} accept`),
  // The resolvers of many clouds have link-local or private addresses.
  'meta l4proto { tcp, udp } th dport 53 accept',
  ...refusals(metadataRanges),
  'jump needed-places',
  ...refusals(privateRanges),
];

function refusals({ v4, v6 }: { v4: readonly string[]; v6: readonly string[] }): string[] {
  return [
    `ip daddr { ${v4.join(', ')} } reject with icmpx type admin-prohibited`,
    `ip6 daddr { ${v6.join(', ')} } reject with icmpx type admin-prohibited`,
  ];
}

/** Lets containers reach one private place. */
export function neededPlace({ address, port }: Destination): string {
  return `${address.includes(':') ? 'ip6' : 'ip'} daddr ${address} tcp dport ${port} accept`;
}
