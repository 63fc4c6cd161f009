import type { Opening } from '#contract/site/opening.ts';
import { readText, statIfPresent } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';

/** Returns how nft names the IP version of an address or network. */
export function familyOf(text: string): 'ip' | 'ip6' {
  return text.includes(':') ? 'ip6' : 'ip';
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

/** Returns ports as a set of nft. */
export function setOf(ports: readonly number[]): string {
  return `{ ${ports.join(', ')} }`;
}
