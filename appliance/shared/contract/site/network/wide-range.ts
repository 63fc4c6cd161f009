import { ipVersion, isInRange } from '#platform/ip.ts';

/** The largest ranges of a single organisation, as prefix lengths. */
const widest = { ipv4: 8, ipv6: 16 };
/** RFC 4193 and RFC 4291: addresses of private networks. */
const local = [
  ['fc00::', 7],
  ['fe80::', 10],
] as const;
/** tinyproxy stores IPv4 addresses as IPv4-mapped IPv6, ::ffff:0:0/96 (RFC 4291, 2.5.5.2). */
const mapped = { bits: 96, first: '::ffff:0.0.0.0', last: '::ffff:255.255.255.255' };

/**
 * Returns whether a range is larger than any single organisation's network. Several such ranges
 * could cover the whole internet.
 * @param range an address, with or without a prefix, validated by the schema of a site
 */
export function isWideRange(range: string): boolean {
  const [address = '', prefix] = range.split('/');
  if (prefix === undefined) return false;
  const bits = Number(prefix);
  if (ipVersion(address) === 4) return bits < widest.ipv4;
  const ends = [mapped.first, mapped.last].map((end) => isInRange(end, address, bits));
  if (ends.every(Boolean)) return true;
  if (isInRange(address, '::ffff:0:0', mapped.bits)) return bits - mapped.bits < widest.ipv4;
  const isLocal = local.some(([first, min]) => bits >= min && isInRange(address, first, min));
  return bits < widest.ipv6 && !isLocal;
}
