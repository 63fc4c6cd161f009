import { accessLink } from '#contract/site/network/access.ts';
import { setOf } from './sources.ts';

/**
 * Renders the rules for the ports of the gateway. They are open to every client, or to the devices of a tunnel
 * alone, which also reach what is open to all, such as SSH.
 * @param tunnel network of the tunnel; undefined without one
 */
export function gatewayRules(web: readonly number[], tunnel: string | undefined): string[] {
  const counted = `tcp dport ${setOf(web)} ct state new jump gateway-clients`;
  if (tunnel === undefined) return [counted];
  const from = `iifname "${accessLink}"`;
  return [
    `${from} ip saddr != ${tunnel} drop`,
    `${from} ${counted}`,
    `${from} ip daddr ${tunnel} tcp dport ${setOf(web)} accept`,
  ];
}
