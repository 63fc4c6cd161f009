import { firewallTableFile } from '#contract/server-paths.ts';
import type { Host } from './host.ts';

/** The nftables table of our own: `inet landfall`. */
export const firewallTable = ['inet', 'landfall'] as const;

/** The unit that loads it at boot. */
export const firewallUnit = 'landfall-firewall.service';

/** The name under which a change of the firewall is armed to undo itself. */
export const firewallUndo = 'firewall';

/** Who may ban addresses: each has a set for IPv4 and one for IPv6 in the table. */
export const banningJails = ['sshd', 'gateway-login', 'gateway-scan'] as const;
export type BanningJail = (typeof banningJails)[number];

/** The name of a jail's set. */
export function bannedSet(jail: string, family: 4 | 6): string {
  return `banned-${jail}-${family}`;
}

/** What is loaded now, as `nft list table` shows it, or nothing when there is no such table. */
export async function loadedTable(host: Host): Promise<string | undefined> {
  const { code, stdout } = await host.run('nft', ['list', 'table', ...firewallTable], {
    accept: [1],
  });
  return code === 0 ? stdout : undefined;
}

/** The mark in a table's text, rendered or loaded, that tells one version of it from another. */
export function markOf(text: string): string | undefined {
  return /comment "(landfall [0-9a-f]{16})"/.exec(text)?.[1];
}

/** Loads the table from its file, at once or not at all; bans that are in force stay. */
export async function loadTable(host: Host): Promise<void> {
  await host.run('nft', ['--file', host.path(firewallTableFile)]);
}
