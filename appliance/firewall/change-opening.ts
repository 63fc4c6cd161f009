import type { Opening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { changeFirewall, changeFirewallUnderUndo, type FirewallChange } from './apply.ts';
import { editSettings, readOpening, stillOpen } from './edit-settings.ts';
import { firewallFacts } from './facts.ts';
import { closedBy } from './opened-before.ts';
import { readSettings } from './settings.ts';

/** Time for the administrator to log in again and confirm. Seconds. */
export const confirmWithin = 300;

/** The result of a manual change. */
interface Changed {
  /** Whether the change closes a port, so it is reverted unless it is confirmed. */
  readonly unconfirmed: boolean;
  /** Which of the given ports are still open. */
  readonly open: readonly Opening[];
}

/**
 * Opens or closes ports for the administrator, in UFW and in our table.
 * @param text ports and their protocol: `8443/tcp`, `6000-6010/udp`
 * @throws LandfallError USAGE for invalid ports, ports of SSH, or part of an open range;
 * FIREWALL_INVALID, UNCONFIRMED
 */
export async function changeOpening(
  host: Host,
  site: Site,
  kind: 'allow' | 'deny',
  text: string | undefined,
): Promise<Changed> {
  const opening = readOpening(text);
  const before = await readSettings(host);
  const { ssh } = await firewallFacts(host, site, before);
  const settings = editSettings(before, { kind, opening }, { site, ssh });
  const facts = await firewallFacts(host, site, settings);
  const closes = kind === 'deny' ? { closes: opening } : {};
  const unconfirmed = await changeByHand(host, { facts, settings, ...closes });
  return { unconfirmed, open: stillOpen(opening, facts) };
}

/**
 * Changes the firewall interactively. A change that only opens ports is permanent. One that closes
 * any port, including a former port of sshd, is reverted unless a new login confirms it within
 * {@link confirmWithin}.
 * @returns whether a confirmation is needed
 * @throws LandfallError FIREWALL_INVALID, UNCONFIRMED
 */
export async function changeByHand(host: Host, change: FirewallChange): Promise<boolean> {
  // A port that is closed already needs no confirmation, even if UFW allows it.
  const closes = (await closedBy(host, change.facts)).length > 0;
  if (closes) await changeFirewallUnderUndo(host, change, confirmWithin);
  else await changeFirewall(host, change);
  return closes;
}
