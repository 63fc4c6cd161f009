import type { Opening } from '#contract/site/opening.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { bannedSet, banningJails, firewallTable } from '../host/firewall-table.ts';
import type { Destination } from './destinations.ts';
import { containerLinks, fromContainers, neededPlace, toOutside } from './rules-for-containers.ts';
import { fromOutside, gatewayClients } from './rules-for-outside.ts';

/** All that a server's firewall depends on. */
export interface FirewallFacts {
  /** Ports of sshd. */
  readonly ssh: readonly number[];
  readonly openings: readonly Opening[];
  readonly destinations: readonly Destination[];
  /** Networks that may hold any number of connections to the gateway. */
  readonly unlimited: readonly string[];
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
	chain gateway-clients { }
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
  // Sources that hold connections to the gateway, each with the count of its own.
  const ofGateway = [4, 6].map(
    (family) =>
      `set gateway-clients-${family} { type ipv${family}_addr; size 65535; flags dynamic; }`,
  );
  return [...ofJails, ...ofSsh, ...ofGateway].map((line) => `\t${line}`).join('\n');
}

function renderRules({ ssh, openings, destinations, unlimited }: FirewallFacts): string {
  return [
    chain('arriving', [
      'iifname "lo" accept',
      ...containerLinks.map((link) => `iifname ${link} goto from-containers`),
      'goto from-outside',
    ]),
    chain('from-outside', [...fromOutside(ssh, openings), 'counter drop comment "MARK"']),
    chain('gateway-clients', gatewayClients(unlimited)),
    chain('from-containers', fromContainers),
    chain(
      'leaving',
      containerLinks.map((link) => `iifname ${link} goto to-outside`),
    ),
    chain('to-outside', toOutside),
    chain('needed-places', destinations.map(neededPlace)),
  ].join('');
}

function chain(name: string, rules: readonly string[]): string {
  return `\tchain ${name} {\n${rules.map((rule) => `\t\t${rule}\n`).join('')}\t}\n`;
}
