import { BlockList, isIP } from 'node:net';

/** Returns which version of IP an address has; 0 for a text that is no address. */
export function ipVersion(text: string): 0 | 4 | 6 {
  const version = isIP(text);
  return version === 4 || version === 6 ? version : 0;
}

/**
 * Tells whether an address is in a range. IPv4 addresses are also compared with IPv6 addresses that carry
 * one (`::ffff:10.0.0.1`, RFC 4291, 2.5.5.2).
 * @param network an address of the range
 * @param bits length of the prefix, in the range that the version of the network allows
 */
export function isInRange(address: string, network: string, bits: number): boolean {
  const list = new BlockList();
  list.addSubnet(network, bits, familyOf(network));
  return list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
