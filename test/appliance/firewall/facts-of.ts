import { parseOpening } from '#contract/site/opening.ts';
import type { FirewallFacts } from '../../../appliance/firewall/render-table.ts';

/** Facts for tests, with openings as people write them. */
export function factsOf(
  openings: readonly string[] = ['80/tcp', '443/tcp'],
  more: Partial<FirewallFacts> = {},
): FirewallFacts {
  return {
    ssh: [22],
    openings: openings.flatMap((text) => parseOpening(text) ?? []),
    destinations: [],
    unlimited: [],
    ...more,
  };
}
