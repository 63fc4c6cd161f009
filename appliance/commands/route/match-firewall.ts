import { changeFirewall } from '../../firewall/apply.ts';
import { firewallDifferences } from '../../firewall/differences.ts';
import { firewallFacts } from '../../firewall/facts.ts';
import type { Context } from '../../stage/stage.ts';

/**
 * Lets containers reach the proxy of the site in both firewalls, and no longer the one before. No port
 * of a login or of the gateway depends on it, so it needs no confirmation.
 */
export async function matchFirewall({ host, site }: Pick<Context, 'host' | 'site'>): Promise<void> {
  const facts = await firewallFacts(host, site);
  const { problems } = await firewallDifferences(host, facts);
  if (problems.length > 0) await changeFirewall(host, { facts });
}
