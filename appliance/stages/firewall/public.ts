import { firewallTableFile } from '#contract/server-paths.ts';
import type { Host } from '../../server/host/host.ts';

/** Landfall's nftables table: `inet landfall`. */
export const firewallTable = ['inet', 'landfall'] as const;

/** Interfaces of Docker's networks, one rule each: nft 1.0.2 supports no wildcards in sets. */
export const containerLinks = ['"docker*"', '"br-*"', '"veth*"'];

/** The bridge of the relay's own egress, as in `compose/relay/own-machines.yaml`. */
export const relayLink = 'br-relay';

/** The bridge of the balancer's egress, as in `compose/compose.yaml`. */
export const balancerLink = 'br-balancer';

/** An endpoint in a private range that containers may reach. */
export interface Destination {
  readonly address: string;
  readonly port: number;
  /** The network of the only component that may reach it; undefined: all containers. */
  readonly link?: string;
}

/** The unit that loads the table at boot. */
export const firewallUnit = 'landfall-firewall.service';

/** Name of the armed undo of a firewall change. */
export const firewallUndo = 'firewall';

/** The fail2ban jails that ban addresses. The table has a set per jail and IP version. */
export const banningJails = ['sshd', 'gateway-login', 'gateway-scan'] as const;
export type BanningJail = (typeof banningJails)[number];

/** Returns the name of a jail's set. */
export function bannedSet(jail: string, family: 4 | 6): string {
  return `banned-${jail}-${family}`;
}

/** Returns the loaded table as printed by `nft list table`; undefined if it does not exist. */
export async function loadedTable(host: Host): Promise<string | undefined> {
  const { code, stdout } = await host.run('nft', ['list', 'table', ...firewallTable], {
    accept: [1],
  });
  return code === 0 ? stdout : undefined;
}

/** Returns the version mark in the text of a rendered or loaded table. */
export function markOf(text: string): string | undefined {
  return /comment "(landfall [0-9a-f]{16})"/.exec(text)?.[1];
}

/** Loads the table from its file atomically. Active bans are kept. */
export async function loadTable(host: Host): Promise<void> {
  await host.run('nft', ['--file', host.path(firewallTableFile)]);
}
