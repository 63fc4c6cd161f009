import { BlockList, isIP } from 'node:net';

/**
 * Ranges without hosts of other organisations (IANA special-purpose registries). Private ranges are
 * not among them, because a mirror or a relay may be in one. Filters answer with such addresses.
 */
const unusable = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  unusable.addSubnet(address, prefix, 'ipv4');
}
for (const [address, prefix] of [
  ['::', 127],
  ['100::', 64],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  unusable.addSubnet(address, prefix, 'ipv6');
}

/** Returns whether no other server can have an address: loopback, link-local, multicast, reserved. */
export function isUnusable(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && unusable.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
