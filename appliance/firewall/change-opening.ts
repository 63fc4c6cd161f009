import type { Opening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { changeFirewall, changeFirewallUnderUndo, type FirewallChange } from './apply.ts';
import { editSettings, readOpening, stillOpen } from './edit-settings.ts';
import { firewallFacts } from './facts.ts';
import { closedBy } from './opened-before.ts';
import { readSettings } from './settings.ts';

/** For a person to log in anew and confirm. Seconds. */
export const confirmWithin = 300;

/** What a change by hand came to. */
interface Changed {
  /** Whether it closes something, and so undoes itself unless somebody confirms it. */
  readonly unconfirmed: boolean;
  /** What is open of the ports that were named. */
  readonly open: readonly Opening[];
}

/**
 * Opens or closes ports by hand, in UFW and in our table.
 * @param text ports and their protocol: `8443/tcp`, `6000-6010/udp`
 * @throws LandfallError USAGE for no ports, for those of SSH, or for a part of what is open;
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
 * Changes the firewall for somebody who looks on. What opens is there at once; what closes anything,
 * also a port that sshd has left, undoes itself unless a new login confirms it within
 * {@link confirmWithin}.
 * @returns whether it waits for that
 * @throws LandfallError FIREWALL_INVALID, UNCONFIRMED
 */
export async function changeByHand(host: Host, change: FirewallChange): Promise<boolean> {
  const closes = change.closes !== undefined || (await closedBy(host, change.facts)).length > 0;
  if (closes) await changeFirewallUnderUndo(host, change, confirmWithin);
  else await changeFirewall(host, change);
  return closes;
}
