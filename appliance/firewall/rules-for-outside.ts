import type { Opening } from '#contract/site/opening.ts';
import { type BanningJail, bannedSet, banningJails } from '../host/firewall-table.ts';
import { loopback, neighbours, pings } from './rules-for-both.ts';

/** The first address of a packet's /64: a client that has one address there can use all of them. */
const network6 = 'ip6 saddr and ffff:ffff:ffff:ffff::';

/**
 * What is let in from outside, and what is not; the chain ends with a drop of everything else.
 * @param ssh ports of sshd
 */
export function fromOutside(ssh: readonly number[], openings: readonly Opening[]): string[] {
  return [
    // Before the bans: the router may have an address in a /64 that is banned.
    `ip6 hoplimit 255 icmpv6 type { nd-router-advert, ${neighbours} } accept`,
    ...banningJails.flatMap((jail) => banOf(jail, ssh)),
    // Docker lets packets for the loopback network in where it publishes on it.
    ...loopback,
    'ct state established,related accept',
    'ct state invalid drop',
    'icmpv6 type mld-listener-query accept',
    'udp sport 67 udp dport 68 accept',
    'ip6 saddr fe80::/10 udp sport 547 udp dport 546 accept',
    // Nobody routes through this server: neither to containers nor anywhere else.
    'fib daddr type != local drop',
    ...pings,
    ...ssh.flatMap(sshOpening),
    'tcp dport { 80, 443 } ct state new jump gateway-clients',
    ...openings.map(({ first, last, protocol }) => {
      return `${protocol} dport ${first === last ? first : `${first}-${last}`} accept`;
    }),
  ];
}

/**
 * Who guesses keys reaches nothing, over IPv6 with all of its /64. Who was refused at the gateway keeps SSH, which has a jail of its
 * own: it may be the owner, whose program still sends an old API key.
 */
function banOf(jail: BanningJail, ssh: readonly number[]): string[] {
  const what =
    jail === 'sshd' ? '' : `meta l4proto { tcp, udp } th dport != { ${ssh.join(', ')} } `;
  return [
    `ip saddr @${bannedSet(jail, 4)} ${what}drop`,
    `${network6} @${bannedSet(jail, 6)} ${what}drop`,
  ];
}

/** Twelve new connections a minute from one address, or from one network of IPv6. */
function sshOpening(port: number): string[] {
  const limit = 'limit rate over 12/minute burst 12 packets';
  return [
    `tcp dport ${port} ct state new update @ssh-clients-4 { ip saddr ${limit} } drop`,
    `tcp dport ${port} ct state new update @ssh-clients-6 { ${network6} ${limit} } drop`,
    `tcp dport ${port} accept`,
  ];
}

/** A hundred connections at once to the gateway from one address, or from one network of IPv6. */
export function gatewayClients(unlimited: readonly string[]): string[] {
  const most = 'ct count over 100';
  return [
    ...[...new Set(unlimited)].map((network) => {
      return `${network.includes(':') ? 'ip6' : 'ip'} saddr ${network} return`;
    }),
    `add @gateway-clients-4 { ip saddr ${most} } drop`,
    `add @gateway-clients-6 { ${network6} ${most} } drop`,
  ];
}
