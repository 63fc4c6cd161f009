import { createHmac } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the network of an address: its IPv4 /24 or its IPv6 /48, without the length; undefined for
 * text that is no address.
 */
export function networkOf(address: string): string | undefined {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIPv4(plain)) return plain.replace(/\d+$/, '0');
  if (!isIPv6(plain)) return undefined;
  // `URL` compresses the zeros of every spelling in the same way.
  const { hostname } = new URL(`http://[${plain.replace(/%.*$/, '')}]/`);
  const [head = ''] = hostname.slice(1, -1).split('::');
  const groups = [...head.split(':').filter((group) => group !== ''), '0', '0', '0'];
  return groups.slice(0, 3).join(':');
}

/**
 * Returns the keyed hash of the network of an address on a day: 16 hex digits. Hashes of two days cannot
 * be compared. Returns undefined for text that is no address.
 */
export function networkHash(key: Uint8Array, address: string, day: string): string | undefined {
  const network = networkOf(address);
  if (network === undefined) return undefined;
  return createHmac('sha256', key).update(`${day} ${network}`).digest('hex').slice(0, 16);
}
