import { socksOpening } from '#contract/site/network/socks.ts';
import { formatOpening, type Opening, parseOpening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import type { FirewallSettings } from './settings.ts';

/** Ports that are open on every server besides SSH. SPEC 3.2, 8. */
const webOpenings = ['80/tcp', '443/tcp'] as const;

/** Returns the ports that are open by default or by the site, besides SSH. */
export function openingsOfSite(site: Site): string[] {
  return [...webOpenings, ...site.firewall.allow, ...socksOpening(site)].map(normalise);
}

/**
 * Returns the open ports besides SSH: 80, 443, those of the site and of the administrator, without
 * the denied ones. Sorted by port, without duplicates.
 */
export function openingsOf(site: Site, { allow, deny }: FirewallSettings): Opening[] {
  const closed = new Set(deny.map(normalise));
  const texts = [...openingsOfSite(site), ...allow.map(normalise)];
  return [...new Set(texts)]
    .filter((text) => !closed.has(text))
    .flatMap((text) => parseOpening(text) ?? [])
    .sort(byPort);
}

/** Returns the canonical text of an opening, for comparisons. */
export function normalise(text: string): string {
  const opening = parseOpening(text);
  return opening ? formatOpening(opening) : text;
}

/** Returns whether two openings have a port in common. */
export function overlaps(one: Opening, other: Opening): boolean {
  return one.protocol === other.protocol && one.first <= other.last && other.first <= one.last;
}

/** Returns the opening of a port of SSH. */
export function sshOpening(port: number): Opening {
  return { first: port, last: port, protocol: 'tcp' };
}

function byPort(one: Opening, other: Opening): number {
  return (
    one.first - other.first ||
    one.last - other.last ||
    one.protocol.localeCompare(other.protocol, 'en')
  );
}
