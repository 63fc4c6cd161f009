import { formatOpening, type Opening, parseOpening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import type { FirewallSettings } from './settings.ts';

/** What answers from outside on every server, besides SSH. SPEC 3.2, 8. */
export const webOpenings = ['80/tcp', '443/tcp'] as const;

/**
 * The ports that answer from outside besides SSH: 80, 443, the site's and the owner's, without those
 * that the owner closed. Each once, in an order of its own.
 */
export function openingsOf(site: Site, { allow, deny }: FirewallSettings): Opening[] {
  const closed = new Set(deny.map(normalise));
  const texts = [...webOpenings, ...site.firewall.allow, ...allow].map(normalise);
  return [...new Set(texts)]
    .filter((text) => !closed.has(text))
    .flatMap((text) => parseOpening(text) ?? [])
    .sort(byPort);
}

/** The one way to write an opening, so that two texts for the same one are equal. */
export function normalise(text: string): string {
  const opening = parseOpening(text);
  return opening ? formatOpening(opening) : text;
}

/** Whether there is a port that both open. */
export function overlaps(one: Opening, other: Opening): boolean {
  return one.protocol === other.protocol && one.first <= other.last && other.first <= one.last;
}

/** The opening that a port of SSH is. */
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
