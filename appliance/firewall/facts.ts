import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { sshPorts } from '../host/sshd/ssh-listeners.ts';
import { privateDestinations } from './destinations.ts';
import { openingsOf } from './openings.ts';
import type { FirewallFacts } from './render-table.ts';
import { type FirewallSettings, readSettings } from './settings.ts';

/**
 * What the firewall has to be on this server, from its site, its owner and its sshd.
 * @param settings the owner's; those on the server when not given
 * @throws LandfallError FIREWALL_INVALID
 */
export async function firewallFacts(
  host: Host,
  site: Site,
  settings?: FirewallSettings,
): Promise<FirewallFacts> {
  const [ssh, destinations, owners] = await Promise.all([
    sshPorts(host),
    privateDestinations(host, site),
    settings ?? readSettings(host),
  ]);
  return {
    ssh,
    destinations,
    openings: openingsOf(site, owners),
    unlimited: site.firewall.unlimited,
  };
}
