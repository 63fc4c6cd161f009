import { parseOpening } from '#contract/site/opening.ts';
import type { FirewallFacts } from '../../../../appliance/stages/firewall/table.ts';

/** Returns facts with openings in text form. */
export function factsOf(
  openings: readonly string[] = ['80/tcp', '443/tcp'],
  more: Partial<FirewallFacts> = {},
): FirewallFacts {
  return {
    ssh: [22],
    web: [80, 443],
    openings: openings.flatMap((text) => parseOpening(text) ?? []),
    destinations: [],
    unlimited: [],
    ...more,
  };
}
