import { ipVersion } from '#platform/ip.ts';

/** Record types of RFC 1035 and RFC 3596. */
const types = { A: 1, AAAA: 28 } as const;
export type AddressType = keyof typeof types;

/** Returns a query for the addresses of a name (RFC 1035, 4.1), with ID 0 as RFC 8484, 4.1 asks. */
export function encodeQuery(name: string, type: AddressType): Buffer {
  const labels = name.split('.').map((label) => {
    const bytes = Buffer.from(label, 'latin1');
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  const head = Buffer.from([0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([head, ...labels, Buffer.from([0, 0, types[type], 0, 1])]);
}

/**
 * Returns the addresses of a response; empty if the name does not exist. Undefined for an error of
 * the server and for an invalid response. Aliases (CNAME) are skipped, because the server resolves
 * them.
 */
export function decodeAddresses(message: Buffer): string[] | undefined {
  try {
    return read(message);
  } catch (error) {
    // A truncated message.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const [success, nameError] = [0, 3];

function read(message: Buffer): string[] | undefined {
  const flags = message.readUInt16BE(2);
  const code = flags & 15;
  const isResponse = (flags & 0x8000) !== 0;
  if (!isResponse || (code !== success && code !== nameError)) return undefined;
  let at = 12;
  for (let left = message.readUInt16BE(4); left > 0; left -= 1) at = skipName(message, at) + 4;
  const addresses: string[] = [];
  for (let left = message.readUInt16BE(6); left > 0; left -= 1) {
    at = skipName(message, at);
    const type = message.readUInt16BE(at);
    const length = message.readUInt16BE(at + 8);
    const data = message.subarray(at + 10, at + 10 + length);
    if (data.length !== length) throw new RangeError('truncated');
    if (type === types.A && length === 4) addresses.push(data.join('.'));
    if (type === types.AAAA && length === 16) addresses.push(ipv6Of(data));
    at += 10 + length;
  }
  return addresses;
}

/** Returns the offset after a name. A pointer (RFC 1035, 4.1.4) is its last part, and is not followed. */
function skipName(message: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const length = message.readUInt8(at);
    if (length === 0) return at + 1;
    if (length >= 0xc0) return at + 2;
    at += 1 + length;
  }
}

function ipv6Of(data: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => data.readUInt16BE(index * 2).toString(16));
  return canonicalAddress(groups.join(':'));
}

/** Returns an address in its shortest form (RFC 5952), to compare it with others. */
export function canonicalAddress(address: string): string {
  if (ipVersion(address) !== 6 || address.includes('%')) return address;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
