import { enginePort } from '#contract/site/engines/engine-node.ts';
import type { Opening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { readText, statIfPresent } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';

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

/** Returns how nft names the IP version of an address or network. */
export function familyOf(text: string): 'ip' | 'ip6' {
  return text.includes(':') ? 'ip6' : 'ip';
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

/**
 * Leaves out openings for IPv6 sources where UFW has no IPv6, because it rejects these rules. It needs the
 * kernel and a setting, which is `yes` in its package.
 */
export async function withoutIpv6(host: Host, openings: readonly Opening[]): Promise<Opening[]> {
  const [settings, kernel] = await Promise.all([
    readText(host, 'etc/default/ufw'),
    statIfPresent(host, 'proc/sys/net/ipv6'),
  ]);
  const isOn = kernel !== undefined && /^IPV6=["']?yes\b/im.test(settings ?? 'IPV6=yes');
  return openings.filter(({ from }) => isOn || !from?.includes(':'));
}
