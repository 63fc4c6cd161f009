import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { bareHost } from './no-proxy.ts';

/** Loopback, private, link-local and metadata addresses, and IPv6 ranges that contain them. */
const inner = new BlockList();
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32'],
  ...['169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '224.0.0.0/3'],
]) {
  const [address = '', bits = ''] = range.split('/');
  inner.addSubnet(address, Number(bits), 'ipv4');
}
// Not 198.18.0.0/15: transparent proxies use it for fake addresses of public hosts.
for (const range of [
  ...[
    '::/96',
    '::ffff:0:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2001::/32',
    '2002::/16',
    'fc00::/7',
    'fe80::/9',
    'ff00::/8',
  ],
]) {
  const [address = '', bits = ''] = range.split('/');
  inner.addSubnet(address, Number(bits), 'ipv6');
}

/** Returns whether an address is not on the public internet. */
function isInner(address: string): boolean {
  return isIP(address) !== 0 && inner.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Returns whether the host of a URL is this computer or in its network. A name counts if one of its
 * addresses does, and not if it has none.
 * @param resolves whether to look up names; false behind a proxy, which looks them up itself
 */
export async function leadsInside(url: URL, resolves: boolean): Promise<boolean> {
  const host = bareHost(url);
  if (isIP(host) !== 0) return isInner(host);
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  if (!resolves) return false;
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isInner(address));
}
