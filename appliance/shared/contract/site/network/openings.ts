import { isEngineNode } from '../enabled.ts';
import { enginePort } from '../engines/engine-node.ts';
import { type Opening, parseOpening } from '../opening.ts';
import type { Site } from '../site.ts';
import { publicOpenings } from './public-ports.ts';
import { socksOpening } from './socks.ts';

/** Returns what is open by default or by the site, besides SSH. */
export function openingsOfSite(site: Site): Opening[] {
  const own = [...site.firewall.allow, ...socksOpening(site)];
  if (isEngineNode(site)) return [...own.flatMap(parsedOpenings), ...engineOpenings(site)];
  const { swarm } = site.engines ?? {};
  const nodes = swarm ? [`${swarm.port}/udp`] : [];
  // SPEC 3.2, 8: only these are open on every server with pages, besides SSH.
  return [...publicOpenings(site), ...nodes, ...own].flatMap(parsedOpenings);
}

/** Returns the opening that a text describes; none for an invalid one. */
export function parsedOpenings(text: string): Opening[] {
  return [parseOpening(text) ?? []].flat();
}

/** Returns the openings of an engine node: its port, for each client. */
export function engineOpenings({ engine_node: settings }: Pick<Site, 'engine_node'>): Opening[] {
  return (settings?.clients ?? []).map((client) => ({
    ...{ first: enginePort, last: enginePort, protocol: 'tcp' },
    from: canonicalNetwork(client),
  }));
}

/**
 * Returns the form of a network in which two of them can be compared: `10.0.0.0/8`, `2001:db8::20`. UFW
 * shortens IPv6 addresses, clears the host part of IPv4 networks only, and writes some addresses with dots.
 * @param text an address, or a range in CIDR notation
 */
export function canonicalNetwork(text: string): string {
  const [address = '', length] = text.split('/');
  const isV6 = address.includes(':');
  const [width, size] = isV6 ? [16, 128] : [8, 32];
  const bits = Number(length ?? size);
  const groups = isV6 ? groupsOf(address) : address.split('.').map(Number);
  const masked = groups.map((group, index) => {
    const zeros = 2 ** Math.min(Math.max((index + 1) * width - bits, 0), width);
    return group - (group % zeros);
  });
  const first = isV6
    ? shortened(masked.map((group) => group.toString(16)).join(':'))
    : masked.join('.');
  return bits === size ? first : `${first}/${bits}`;
}

/** Returns the groups of 16 bits of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [start = [], end = []] = shortened(address)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = new Array<string>(8 - start.length - end.length).fill('0');
  return [...start, ...zeros, ...end].map((group) => Number.parseInt(group, 16));
}

/** The parser of URLs writes addresses as RFC 5952 does, without dots. */
function shortened(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
