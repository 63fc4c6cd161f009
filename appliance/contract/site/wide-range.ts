import { ipVersion, isInRange } from '#platform/ip.ts';

/** The widest ranges that one organisation may have, in bits of prefix. */
const widest = { ipv4: 8, ipv6: 16 };
/** RFC 4193 and RFC 4291: addresses that only clients on a private network have. */
const local = [
  ['fc00::', 7],
  ['fe80::', 10],
] as const;
/** tinyproxy keeps IPv4 addresses as IPv6 ones below ::ffff:0:0/96 (RFC 4291, 2.5.5.2). */
const mapped = { bits: 96, first: '::ffff:0.0.0.0', last: '::ffff:255.255.255.255' };

/**
 * Tells whether a range is wider than any network of one's own, so that several of them could add up
 * to the whole internet.
 * @param range an address, or one with a prefix, as the schema of a site has checked it
 */
export function isWideRange(range: string): boolean {
  const [address = '', prefix] = range.split('/');
  if (prefix === undefined) return false;
  const bits = Number(prefix);
  if (ipVersion(address) === 4) return bits < widest.ipv4;
  const ends = [mapped.first, mapped.last].map((end) => isInRange(end, address, bits));
  if (ends.every(Boolean)) return true;
  if (isInRange(address, '::ffff:0:0', mapped.bits)) return bits - mapped.bits < widest.ipv4;
  const isLocal = local.some(([first, least]) => bits >= least && isInRange(address, first, least));
  return bits < widest.ipv6 && !isLocal;
}
