import { isOnLoopback } from '#contract/site/network/socks.ts';
import type { Opening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { type BanningJail, bannedSet, banningJails } from '../host/firewall-table.ts';
import { loopback, neighbours, pings } from './rules-for-both.ts';

/** The /64 of the source: a client usually controls all of its addresses. */
const network6 = 'ip6 saddr and ffff:ffff:ffff:ffff::';

/**
 * Renders the rules for traffic from outside; the chain drops everything else.
 * @param ssh ports of sshd
 * @param socks the SOCKS5 server, whose port only its clients reach
 */
export function fromOutside(
  ssh: readonly number[],
  openings: readonly Opening[],
  socks?: Site['socks'],
): string[] {
  return [
    // Before the bans, because the router may be in a banned /64.
    `ip6 hoplimit 255 icmpv6 type { nd-router-advert, ${neighbours} } accept`,
    ...banningJails.flatMap((jail) => banOf(jail, ssh)),
    // Docker accepts packets to loopback addresses for ports that it publishes there.
    ...loopback,
    'ct state established,related accept',
    'ct state invalid drop',
    'icmpv6 type mld-listener-query accept',
    'udp sport 67 udp dport 68 accept',
    'ip6 saddr fe80::/10 udp sport 547 udp dport 546 accept',
    // This server does not route, neither to containers nor to other hosts.
    'fib daddr type != local drop',
    ...pings,
    ...ssh.flatMap(sshOpening),
    'tcp dport { 80, 443 } ct state new jump gateway-clients',
    ...socksClients(socks),
    ...openings.map(({ first, last, protocol }) => {
      return `${protocol} dport ${first === last ? first : `${first}-${last}`} accept`;
    }),
  ];
}

/**
 * Renders the rules of a jail. A client that is banned for SSH reaches nothing; over IPv6, its whole
 * /64. A client that is banned for the gateway still reaches SSH: it may be the administrator, using a
 * program with an old API key.
 */
function banOf(jail: BanningJail, ssh: readonly number[]): string[] {
  const what =
    jail === 'sshd' ? '' : `meta l4proto { tcp, udp } th dport != { ${ssh.join(', ')} } `;
  return [
    `ip saddr @${bannedSet(jail, 4)} ${what}drop`,
    `${network6} @${bannedSet(jail, 6)} ${what}drop`,
  ];
}

/**
 * Renders the rules of the SOCKS5 server: only its clients reach its port, at its address. The opening
 * of the port has no effect here; UFW has it too.
 */
function socksClients(socks: Site['socks']): string[] {
  if (!socks || isOnLoopback(socks)) return [];
  const { listen, port, allow } = socks;
  const family = (text: string) => (text.includes(':') ? 'ip6' : 'ip');
  return [
    ...[...new Set(allow)]
      .filter((range) => family(range) === family(listen))
      .map((range) => {
        const [own, clients] = [
          `${family(listen)} daddr ${listen}`,
          `${family(range)} saddr ${range}`,
        ];
        return `${clients} ${own} tcp dport ${port} accept`;
      }),
    `tcp dport ${port} drop`,
  ];
}

/** Allows twelve new connections per minute per IPv4 address or IPv6 /64. */
function sshOpening(port: number): string[] {
  const limit = 'limit rate over 12/minute burst 12 packets';
  return [
    `tcp dport ${port} ct state new update @ssh-clients-4 { ip saddr ${limit} } drop`,
    `tcp dport ${port} ct state new update @ssh-clients-6 { ${network6} ${limit} } drop`,
    `tcp dport ${port} accept`,
  ];
}

/** Allows a hundred concurrent connections to the gateway per IPv4 address or IPv6 /64. */
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
