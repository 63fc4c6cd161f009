import { firewallTableFile } from '#contract/server-paths.ts';
import { type Opening, parseOpening } from '#contract/site/opening.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { sshOpening } from './openings.ts';
import type { FirewallFacts } from './render-table.ts';
import { equal } from './ufw.ts';

/** What the table on this server opens that one for these facts does not, SSH's ports included. */
export async function closedBy(host: Host, facts: FirewallFacts): Promise<Opening[]> {
  const before = openedByTable((await readText(host, firewallTableFile)) ?? '');
  return before.filter((opening) => !isOpenedBy(facts, opening));
}

/** Whether exactly this is among what a table for these facts opens. */
export function isOpenedBy({ ssh, openings }: FirewallFacts, opening: Opening): boolean {
  return [...ssh.map(sshOpening), ...openings].some((each) => equal(each, opening));
}

/** What a table that `renderTable` made opens from outside. */
export function openedByTable(table: string): Opening[] {
  const rules = table.matchAll(/^\t\t(tcp|udp) dport ([0-9]+(?:-[0-9]+)?) accept$/gm);
  return [...rules].flatMap(([, protocol, ports]) => parseOpening(`${ports}/${protocol}`) ?? []);
}
