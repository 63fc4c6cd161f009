import { clientEndpoints } from '#contract/site/network/effective-route.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { sshPorts } from '../host/sshd/ssh-listeners.ts';
import { privateDestinations } from './destinations.ts';
import { openingsOf } from './openings.ts';
import type { FirewallFacts } from './render-table.ts';
import { type FirewallSettings, readSettings } from './settings.ts';

/**
 * Collects what the firewall depends on: the site, the administrator's settings and sshd.
 * @param settings the administrator's settings; read from the server if undefined
 * @throws LandfallError FIREWALL_INVALID
 */
export async function firewallFacts(
  host: Host,
  site: Site,
  settings?: FirewallSettings,
): Promise<FirewallFacts> {
  const [ssh, destinations, current] = await Promise.all([
    sshPorts(host),
    privateDestinations(host, site),
    settings ?? readSettings(host),
  ]);
  return {
    ssh,
    destinations,
    openings: openingsOf(site, current),
    unlimited: site.firewall.unlimited,
    client: site.route.mode === 'client' ? clientEndpoints.container : undefined,
    socks: site.socks,
  };
}
