import type { Problem } from '#contract/errors.ts';
import { covers, formatOpening, type Opening } from '#contract/opening.ts';
import { loadedTable, markOf } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';
import { type FirewallFacts, renderTable } from './render-table.ts';
import { parseUfwStatus, type UfwStatus, ufwStatusText } from './ufw.ts';

/**
 * Where the firewall is not what it should be: our table against what it was made from, and UFW's
 * rules against our table. A port answers only where both let it through. For `landfall doctor`.
 */
export async function firewallDifferences(host: Host, facts: FirewallFacts): Promise<Problem[]> {
  const [table, ufw] = await Promise.all([loadedTable(host), ufwStatusText(host)]);
  return [...tableProblems(table, facts), ...ufwProblems(parseUfwStatus(ufw), facts)];
}

function tableProblems(loaded: string | undefined, facts: FirewallFacts): Problem[] {
  const hint = 'Run: landfall firewall apply';
  if (loaded === undefined) return [{ message: "Landfall's table is not loaded", hint }];
  if (markOf(loaded) === markOf(renderTable(facts))) return [];
  return [{ message: "Landfall's table is not the one that the settings ask for", hint }];
}

/** UFW's rules against what our table lets through. */
export function ufwProblems(ufw: UfwStatus, { ssh, openings }: FirewallFacts): Problem[] {
  const hint = 'Run: landfall firewall apply';
  if (!ufw.active) return [{ message: 'UFW is not active', hint }];
  const ours = [...ssh.map(tcp), ...openings];
  const lax = ufw.closed ? [] : [{ message: 'UFW lets in what no rule allows', hint }];
  const closedHere = ufw.openings.filter((theirs) => !ours.some((own) => covers(own, theirs)));
  const closedThere = ours.filter((own) => !ufw.openings.some((theirs) => covers(theirs, own)));
  return [
    ...lax,
    ...closedHere.map(formatOpening).map((port) => ({
      message: `${port} is open in UFW, closed in Landfall's table`,
      hint: `To open it, run: landfall firewall allow ${port}. To close it, run: ufw delete allow ${port.replace('-', ':')}`,
    })),
    ...closedThere.map(formatOpening).map((port) => ({
      message: `${port} is open in Landfall's table, closed in UFW`,
      hint,
    })),
  ];
}

function tcp(port: number): Opening {
  return { first: port, last: port, protocol: 'tcp' };
}
