import { statIfPresent } from '../files.ts';
import type { Host } from '../host.ts';

/** Returns whether the kernel has IPv6. With `ipv6.disable=1`, programs cannot listen on `::`. */
export async function hasIpv6(host: Host): Promise<boolean> {
  return (await statIfPresent(host, 'proc/sys/net/ipv6')) !== undefined;
}
