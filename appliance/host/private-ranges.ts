import { BlockList, isIP } from 'node:net';

interface Ranges {
  readonly v4: readonly string[];
  readonly v6: readonly string[];
}

const metadata4 = [
  '169.254.0.0/16', // most clouds: 169.254.169.254
  '100.100.100.200/32', // Alibaba
  '168.63.129.16/32', // Azure
  '192.0.0.192/32', // Oracle
];

/**
 * Addresses of cloud metadata services, which may return credentials: all link-local ranges, and
 * known addresses outside of them. No setting opens these to containers.
 */
export const metadataRanges: Ranges = {
  v4: metadata4,
  v6: [
    'fe80::/10', // OpenStack: fe80::a9fe:a9fe
    'fd00:ec2::254/128', // Amazon
    'fd20:ce::254/128', // Google
    'fd00:a9fe:a9fe::1/128', // Google and OpenStack
    'fd00:42::42/128', // Scaleway
    ...metadata4.flatMap(translated),
  ],
};

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

/** Returns an IPv4 range as NAT64 (RFC 6052) and 6to4 (RFC 3056) encode it. */
function translated(range: string): string[] {
  const [address = '', bits = ''] = range.split('/');
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  const hex = `${bytes.slice(0, 2).join('')}:${bytes.slice(2).join('')}`;
  return [`64:ff9b::${hex}/${96 + Number(bits)}`, `2002:${hex}::/${16 + Number(bits)}`];
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
