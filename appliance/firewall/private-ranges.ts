import { BlockList, isIP } from 'node:net';

interface Ranges {
  readonly v4: readonly string[];
  readonly v6: readonly string[];
}

/**
 * Where clouds serve a machine's metadata, which may hold credentials: every link-local address,
 * and those that are not link-local. No setting opens these to containers.
 */
export const metadataRanges: Ranges = {
  v4: [
    '169.254.0.0/16', // nearly everybody: 169.254.169.254
    '100.100.100.200/32', // Alibaba
    '168.63.129.16/32', // Azure
    '192.0.0.192/32', // Oracle
  ],
  v6: [
    'fe80::/10', // OpenStack: fe80::a9fe:a9fe
    'fd00:ec2::254/128', // Amazon
    'fd20:ce::254/128', // Google
    'fd00:a9fe:a9fe::1/128', // Google and OpenStack
    'fd00:42::42/128', // Scaleway
  ],
};

/**
 * Networks where nobody's public services are. 198.18.0.0/15 is left out, because redirectors use
 * it for addresses that stand for public ones.
 */
export const privateRanges: Ranges = {
  v4: ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16'],
  v6: ['fc00::/7'],
};

const [closed, inside] = [blockListOf(metadataRanges), blockListOf(privateRanges)];

/** Whether an address is private, may be opened to containers, and serves no metadata. */
export function isPrivate(address: string): boolean {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  return isIP(address) !== 0 && inside.check(address, family) && !closed.check(address, family);
}

function blockListOf({ v4, v6 }: Ranges): BlockList {
  const list = new BlockList();
  for (const range of [...v4, ...v6]) {
    const [address = '', bits = ''] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
