import type { Problem } from '#contract/errors.ts';
import { covers, formatOpening } from '#contract/site/opening.ts';
import { loadedTable, markOf } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';
import { sshOpening } from './facts.ts';
import { type FirewallFacts, renderTable } from './table.ts';
import { deletion, parseUfwStatus, type UfwStatus, ufwStatusText } from './ufw.ts';

export interface Differences {
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
  const [table, ufw] = await Promise.all([loadedTable(host), ufwStatusText(host)]);
  const { problems, closedHere } = ufwDifferences(parseUfwStatus(ufw), facts);
  return { problems: [...tableProblems(table, facts), ...problems], closedHere };
}

function tableProblems(loaded: string | undefined, facts: FirewallFacts): Problem[] {
  const hint = 'Run: sudo landfall firewall apply';
  if (loaded === undefined) return [{ message: "Landfall's table is not loaded", hint }];
  if (markOf(loaded) === markOf(renderTable(facts))) return [];
  return [{ message: "Landfall's table does not match the settings", hint }];
}

/** Compares UFW's rules with the openings of our table. */
export function ufwDifferences(
  ufw: UfwStatus,
  { ssh, openings, client }: FirewallFacts,
): Differences {
  const hint = 'Run: sudo landfall firewall apply';
  if (!ufw.active) return { problems: [{ message: 'UFW is not active', hint }], closedHere: [] };
  const ours = [...ssh.map(sshOpening), ...openings];
  const policy = ufw.closed
    ? []
    : [{ message: 'UFW does not deny incoming traffic by default', hint }];
  const proxy =
    (client !== undefined) === ufw.opensClient
      ? []
      : [
          {
            message: client
              ? 'UFW keeps containers from the proxy client'
              : 'UFW opens a port for a proxy client that this server does not have',
            hint,
          },
        ];
  const closedHere = ufw.openings.filter((theirs) => !ours.some((own) => covers(own, theirs)));
  const closedThere = ours.filter((own) => !ufw.openings.some((theirs) => covers(theirs, own)));
  return {
    problems: [
      ...policy,
      ...proxy,
      ...closedThere.map(formatOpening).map((port) => ({
        message: `${port} is open in Landfall's table, but closed in UFW`,
        hint,
      })),
    ],
    closedHere: closedHere.map((theirs) => ({
      message: `${formatOpening(theirs)} is open in UFW, but closed in Landfall's table`,
      hint: `To open it, run: sudo landfall firewall allow ${formatOpening(theirs)}. To close it, run: ${deletion(theirs)}`,
    })),
  };
}
