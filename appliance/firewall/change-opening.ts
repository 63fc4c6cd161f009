import type { Site } from '#contract/site.ts';
import type { Host } from '../host/host.ts';
import { changeFirewall, changeFirewallUnderUndo } from './apply.ts';
import { editSettings, readOpening } from './edit-settings.ts';
import { firewallFacts } from './facts.ts';
import { readSettings } from './settings.ts';

/** For a person to log in anew and confirm. Seconds. */
export const confirmWithin = 300;

/**
 * Opens or closes ports by hand, in UFW and in our table. What opens is there at once; what closes
 * undoes itself unless a new login confirms it within {@link confirmWithin}.
 * @param text ports and their protocol: `8443/tcp`, `6000-6010/udp`
 * @throws LandfallError USAGE for no ports, or for those of SSH; FIREWALL_INVALID, UNCONFIRMED
 */
export async function changeOpening(
  host: Host,
  site: Site,
  kind: 'allow' | 'deny',
  text: string | undefined,
): Promise<void> {
  const opening = readOpening(text);
  const before = await readSettings(host);
  const { ssh } = await firewallFacts(host, site, before);
  const settings = editSettings(before, { kind, opening }, { site, ssh });
  const wanted = { facts: await firewallFacts(host, site, settings), settings };
  if (kind === 'allow') return await changeFirewall(host, wanted);
  await changeFirewallUnderUndo(host, { ...wanted, closes: opening }, confirmWithin);
}
