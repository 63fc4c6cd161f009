import { sha256Hex } from '#contract/digest.ts';
import type { Opening } from '#contract/opening.ts';
import { bannedSet, banningJails, firewallTable } from '../host/firewall-table.ts';
import type { Destination } from './destinations.ts';
import { metadataRanges, privateRanges } from './private-ranges.ts';

/** All that a server's firewall depends on. */
export interface FirewallFacts {
  /** Ports of sshd. */
  readonly ssh: readonly number[];
  readonly openings: readonly Opening[];
  readonly destinations: readonly Destination[];
}

/**
 * The file of the firewall's table. Its hooks come after connection tracking (-200) and before
 * Docker rewrites destinations (-100), so they see states and the ports that were really asked for,
 * with every version of Docker.
 *
 * Sets and chains are added where they are missing and every rule is replaced, in one transaction:
 * bans outlive that. For this the names and types of sets and the hooks of chains never change.
 */
export function renderTable(facts: FirewallFacts): string {
  const rules = renderRules(facts);
  const mark = `landfall ${sha256Hex(rules).slice(0, 16)}`;
  const table = `table ${firewallTable.join(' ')}`;
  return `# Made by Landfall: only what is opened below answers from outside, whatever Docker publishes.
# Do not edit it; \`landfall firewall\` changes it, together with UFW.
${table} {
${renderSets()}
	chain arriving { type filter hook prerouting priority -150; policy accept; }
	chain leaving { type filter hook forward priority -150; policy accept; }
	chain from-outside { }
	chain from-containers { }
	chain to-outside { }
	chain needed-places { }
}
flush ${table}
${table} {
${rules.replace('MARK', mark)}}
`;
}

function renderSets(): string {
  const ofJails = banningJails.flatMap((jail) => [
    `set ${bannedSet(jail, 4)} { type ipv4_addr; flags timeout; }`,
    `set ${bannedSet(jail, 6)} { type ipv6_addr; flags timeout; }`,
  ]);
  // Sources that lately opened connections to sshd, each with a budget of its own.
  const ofSsh = [4, 6].map(
    (family) =>
      `set ssh-clients-${family} { type ipv${family}_addr; size 65535; flags dynamic,timeout; timeout 1m; }`,
  );
  return [...ofJails, ...ofSsh].map((line) => `\t${line}`).join('\n');
}

function renderRules({ ssh, openings, destinations }: FirewallFacts): string {
  return [
    chain('arriving', [
      'iifname "lo" accept',
      ...containerLinks.map((link) => `iifname ${link} goto from-containers`),
      'goto from-outside',
    ]),
    chain('from-outside', fromOutside(ssh, openings)),
    chain('from-containers', fromContainers),
    chain('leaving', [...containerLinks.map((link) => `iifname ${link} goto to-outside`)]),
    chain('to-outside', toOutside),
    chain('needed-places', destinations.map(neededPlace)),
  ].join('');
}

/** Interfaces of Docker's networks. Every other one, known or not, leads outside. */
const containerLinks = ['"docker*"', '"br-*"', '"veth*"'];

function fromOutside(ssh: readonly number[], openings: readonly Opening[]): string[] {
  return [
    ...banningJails.flatMap((jail) => [
      `ip saddr @${bannedSet(jail, 4)} drop`,
      `ip6 saddr @${bannedSet(jail, 6)} drop`,
    ]),
    // Docker lets packets for the loopback network in where it publishes on it.
    ...loopback,
    'ct state established,related accept',
    'ct state invalid drop',
    `ip6 hoplimit 255 icmpv6 type { nd-router-advert, ${neighbours} } accept`,
    'icmpv6 type mld-listener-query accept',
    'udp sport 67 udp dport 68 accept',
    'ip6 saddr fe80::/10 udp sport 547 udp dport 546 accept',
    // Nobody routes through this server: neither to containers nor anywhere else.
    'fib daddr type != local drop',
    ...pings,
    ...ssh.flatMap(sshOpening),
    ...openings.map(({ first, last, protocol }) => {
      return `${protocol} dport ${first === last ? first : `${first}-${last}`} accept`;
    }),
    'counter drop comment "MARK"',
  ];
}

/** Twelve new connections a minute from one address, or from one network of IPv6. */
function sshOpening(port: number): string[] {
  const limit = 'limit rate over 12/minute burst 12 packets';
  return [
    `tcp dport ${port} ct state new update @ssh-clients-4 { ip saddr ${limit} } drop`,
    `tcp dport ${port} ct state new update @ssh-clients-6 { ip6 saddr and ffff:ffff:ffff:ffff:: ${limit} } drop`,
    `tcp dport ${port} accept`,
  ];
}

const neighbours = 'nd-neighbor-solicit, nd-neighbor-advert';
const errors = 'destination-unreachable, time-exceeded, parameter-problem';
const pings = [
  `icmp type { echo-request, ${errors} } accept`,
  `icmpv6 type { echo-request, packet-too-big, ${errors} } accept`,
];
const loopback = [
  'ip saddr 127.0.0.0/8 drop',
  'ip daddr 127.0.0.0/8 drop',
  'ip6 saddr ::1 drop',
  'ip6 daddr ::1 drop',
];

/** Of the host itself, containers reach what the world reaches of the gateway, and no more. */
const fromContainers = [
  ...loopback,
  'ct state established,related accept',
  `ip6 hoplimit 255 icmpv6 type { ${neighbours} } accept`,
  'jump needed-places',
  'fib daddr type local tcp dport { 80, 443 } accept',
  ...pings.map((rule) => `fib daddr type local ${rule}`),
  'fib daddr type local drop',
];

/** Between networks of its own, Docker decides. */
const toOutside = [
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

function neededPlace({ address, port }: Destination): string {
  return `${address.includes(':') ? 'ip6' : 'ip'} daddr ${address} tcp dport ${port} accept`;
}

function chain(name: string, rules: readonly string[]): string {
  return `\tchain ${name} {\n${rules.map((rule) => `\t\t${rule}\n`).join('')}\t}\n`;
}
