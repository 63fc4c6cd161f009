import { BlockList, isIP } from 'node:net';

/** Returns the IP version of an address; 0 for text that is not an address. */
export function ipVersion(text: string): 0 | 4 | 6 {
  const version = isIP(text);
  return version === 4 || version === 6 ? version : 0;
}

/**
 * Returns whether an address is in a range. An IPv4 address also matches IPv4-mapped IPv6 addresses
 * (`::ffff:10.0.0.1`, RFC 4291, 2.5.5.2).
 * @param network an address of the range
 * @param bits length of the prefix, valid for the version of the network
 */
export function isInRange(address: string, network: string, bits: number): boolean {
  const list = new BlockList();
  list.addSubnet(network, bits, familyOf(network));
  return list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
