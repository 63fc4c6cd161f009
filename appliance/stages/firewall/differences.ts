import type { Problem } from '#contract/errors.ts';
import {
  covers,
  formatOpening,
  formatPorts,
  type Opening,
  overlaps,
} from '#contract/site/opening.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { alignRows } from '#contract/text/table.ts';
import type { Host } from '../../server/host/host.ts';
import { sshOpening } from './facts.ts';
import { foreignRuleProblems } from './foreign-rules.ts';
import { loadedTable, markOf } from './public.ts';
import { swarmProblems } from './swarm.ts';
import { type FirewallFacts, renderTable } from './table.ts';
import { deletion, parseUfwStatus, type UfwOpening, type UfwStatus, ufwStatusText } from './ufw.ts';

interface Differences {
  /** Where the firewall does not match its settings. */
  readonly problems: readonly Problem[];
  /** Ports that only UFW opens, by a rule of the administrator: they stay closed, which is safe. */
  readonly closedHere: readonly Problem[];
}

/**
 * Compares our table with its settings, and UFW's rules with our table. A port is open only if both
 * allow it.
 */
export async function firewallDifferences(host: Host, facts: FirewallFacts): Promise<Differences> {
  const [table, ufw, foreign] = await Promise.all([
    loadedTable(host),
    ufwStatusText(host),
    foreignRuleProblems(host),
  ]);
  const { problems, closedHere } = ufwDifferences(parseUfwStatus(ufw), facts);
  return { problems: [...tableProblems(table, facts), ...problems, ...foreign], closedHere };
}

function tableProblems(loaded: string | undefined, facts: FirewallFacts): Problem[] {
  const hint = 'Run: sudo landfall firewall apply';
  if (loaded === undefined) return [{ message: "Landfall's table is not loaded", hint }];
  if (markOf(loaded) === markOf(renderTable(facts))) return [];
  return [{ message: "Landfall's table does not match the settings", hint }];
}

/**
 * Compares UFW's rules with the openings of our table. Rules of the administrator for a source are not
 * reported.
 */
export function ufwDifferences(
  ufw: UfwStatus,
  { ssh, openings, client, swarm }: FirewallFacts,
): Differences {
  const hint = 'Run: sudo landfall firewall apply';
  if (!ufw.active) return { problems: [{ message: 'UFW is not active', hint }], closedHere: [] };
  const ours = [...ssh.map(sshOpening), ...openings];
  const closedHere = ufw.openings.filter(
    (theirs) => theirs.from === undefined && !ours.some((own) => covers(own, theirs)),
  );
  const closedThere = ours.filter((own) => !ufw.openings.some((theirs) => covers(theirs, own)));
  const messages = [
    !ufw.closed && 'UFW does not deny incoming traffic by default',
    client && !ufw.opensClient && 'UFW keeps containers from the proxy client',
    !client &&
      ufw.opensClient &&
      'UFW opens a port for a proxy client that this server does not have',
    ...swarmProblems(ufw, swarm),
    ...closedThere.map(
      (own) => `${formatOpening(own)} is open in Landfall's table, but closed in UFW`,
    ),
  ].filter((message) => typeof message === 'string');
  return {
    problems: messages.map((message) => ({ message, hint })),
    closedHere: closedHere.map((theirs) => describeClosedHere(theirs, ours)),
  };
}

function describeClosedHere(theirs: UfwOpening, ours: readonly Opening[]): Problem {
  const text = formatOpening(theirs);
  const own = ours.find((each) => each.from !== undefined && overlaps(each, theirs));
  if (own) {
    return {
      message: `${text} is open for everyone in UFW, but ${formatPorts(own)} is open for the clients of the site only`,
      hint: `Run: ${deletion(theirs)}`,
    };
  }
  return {
    message: `${text} is open in UFW, but closed in Landfall's table`,
    hint: `To open it, run: sudo landfall firewall allow ${text}. To close it, run: ${deletion(theirs)}`,
  };
}

/** The output of `landfall firewall list --json`. */
interface FirewallList {
  /** Ports of SSH. */
  readonly ssh: readonly number[];
  /** Other open ports, such as `443/tcp`. */
  readonly open: readonly string[];
  /** Ports that are open for some clients only, on an engine node. */
  readonly openFor?: ReadonlyArray<{ readonly ports: string; readonly clients: readonly string[] }>;
  /** Private endpoints that containers may reach, such as `10.0.0.2:7890`. */
  readonly reachable: readonly string[];
  readonly problems: readonly Problem[];
}

export function listFirewall(
  facts: FirewallFacts,
  { problems, closedHere }: Differences,
): FirewallList {
  return {
    ssh: facts.ssh,
    open: facts.openings.filter(({ from }) => from === undefined).map(formatOpening),
    ...openFor(facts),
    reachable: facts.destinations.map(({ address, port, link }) => {
      const host = address.includes(':') ? `[${address}]` : address;
      return `${host}:${port}${link === undefined ? '' : ' (relay only)'}`;
    }),
    problems: [...problems, ...closedHere],
  };
}

function openFor({ openings }: FirewallFacts): Pick<FirewallList, 'openFor'> {
  const clients = Map.groupBy(
    openings.filter(({ from }) => from !== undefined),
    formatPorts,
  );
  if (clients.size === 0) return {};
  return {
    openFor: [...clients].map(([ports, each]) => ({
      ports,
      clients: each.flatMap(({ from }) => from ?? []),
    })),
  };
}

/** Formats the list as text. */
export function describeFirewall(list: FirewallList): string {
  const { ssh, open, openFor = [], reachable, problems } = list;
  return [
    'From outside, over IPv4 and IPv6:',
    ...alignRows([
      ...ssh.map((port) => [`  ${port}/tcp`, 'SSH, new connections are rate-limited']),
      ...open.map((port) => [`  ${port}`]),
      ...openFor.map(({ ports, clients }) => [`  ${ports}`, `only from ${clients.join(', ')}`]),
    ]),
    ...(reachable.length > 0
      ? [`Private endpoints that containers can reach: ${reachable.join(', ')}`]
      : []),
    ...problems.map((problem) => `! ${formatProblem(problem)}`),
  ].join('\n');
}
