import { BlockList, isIP } from 'node:net';
import { metadataRanges } from '#contract/site/network/metadata-ranges.ts';

interface Ranges {
  readonly v4: readonly string[];
  readonly v6: readonly string[];
}

/**
 * Private networks, and ranges that a router may translate into them. 198.18.0.0/15 is not included,
 * because transparent proxies use it for fake addresses of public hosts.
 */
export const privateRanges: Ranges = {
  v4: [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.168.0.0/16',
    '240.0.0.0/4', // reserved, but used internally by some clouds
  ],
  v6: [
    'fc00::/7',
    'fec0::/10', // site-local, deprecated
    '64:ff9b::/96', // NAT64: contains an IPv4 address
    '64:ff9b:1::/48', // local-use NAT64 (RFC 8215)
    '2002::/16', // 6to4: contains an IPv4 address
  ],
};

const closed = blockListOf([...metadataRanges.v4, ...metadataRanges.v6]);
const inside = blockListOf([...privateRanges.v4, ...privateRanges.v6]);

/** Returns whether an address is private and not that of a metadata service. */
export function isPrivate(address: string): boolean {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  return isIP(address) !== 0 && inside.check(address, family) && !closed.check(address, family);
}

/** Returns a list of IPv4 and IPv6 ranges, such as `10.0.0.0/8`, for lookups. */
export function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
