import { firewallTableFile } from '#contract/server-paths.ts';
import { type Opening, parseOpening } from '#contract/site/opening.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { sshOpening } from './openings.ts';
import type { FirewallFacts } from './render-table.ts';
import { equal } from './ufw.ts';

/** Returns the openings of the current table, SSH included, that a table for these facts lacks. */
export async function closedBy(host: Host, facts: FirewallFacts): Promise<Opening[]> {
  const before = openedByTable((await readText(host, firewallTableFile)) ?? '');
  return before.filter((opening) => !isOpenedBy(facts, opening));
}

/** Returns whether a table for these facts has exactly this opening. */
export function isOpenedBy({ ssh, openings }: FirewallFacts, opening: Opening): boolean {
  return [...ssh.map(sshOpening), ...openings].some((each) => equal(each, opening));
}

/** Parses the openings of a table made by `renderTable`. */
export function openedByTable(table: string): Opening[] {
  const rules = table.matchAll(/^\t\t(tcp|udp) dport ([0-9]+(?:-[0-9]+)?) accept$/gm);
  return [...rules].flatMap(([, protocol, ports]) => parseOpening(`${ports}/${protocol}`) ?? []);
}
