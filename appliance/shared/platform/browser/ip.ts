const ipv4Bytes = 4;
const ipv6Bytes = 16;
/** The prefix of IPv4-mapped IPv6 addresses (`::ffff:0:0/96`). */
const mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
/** An IPv6 zone, as `net.isIP` of Node accepts it. */
const zone = /^(.+)%[0-9a-zA-Z\-.:]+$/;

/** Returns the IP version of an address; 0 for text that is not an address. */
export function ipVersion(text: string): 0 | 4 | 6 {
  const bytes = bytesOf(text);
  if (bytes === undefined) return 0;
  return bytes.length === ipv4Bytes ? 4 : 6;
}

/**
 * Returns whether an address is in a range. An IPv4 address also matches IPv4-mapped IPv6 addresses
 * (`::ffff:10.0.0.1`, RFC 4291, 2.5.5.2).
 * @param network an address of the range
 * @param bits length of the prefix, valid for the version of the network
 */
export function isInRange(address: string, network: string, bits: number): boolean {
  const [one, other] = [bytesOf(address), bytesOf(network)];
  if (!one || !other) throw new Error(`${one ? network : address} is not an IP address`);
  const length = other.length === ipv4Bytes ? 8 * mapped.length + bits : bits;
  return prefixOf(one, length) === prefixOf(other, length);
}

/** Returns the first bits of an address as text of zeros and ones, with IPv4 mapped into IPv6. */
function prefixOf(bytes: readonly number[], length: number): string {
  const all = bytes.length === ipv4Bytes ? [...mapped, ...bytes] : bytes;
  return all
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(0, length);
}

function bytesOf(text: string): number[] | undefined {
  return text.includes(':') ? bytesOfIpv6(zone.exec(text)?.[1] ?? text) : bytesOfIpv4(text);
}

function bytesOfIpv4(text: string): number[] | undefined {
  const parts = text.split('.');
  const isAddress = parts.length === ipv4Bytes && parts.every((part) => decimal.test(part));
  return isAddress ? parts.map(Number) : undefined;
}

const decimal = /^(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/;

/** The parser of URLs accepts the forms of RFC 4291, section 2.2, and shortens them to groups of 16 bits. */
function bytesOfIpv6(text: string): number[] | undefined {
  const url = `http://[${text}]`;
  if (!/^[0-9a-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined;
  const [start = [], end = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = new Array<string>(ipv6Bytes / 2 - start.length - end.length).fill('0');
  return [...start, ...zeros, ...end].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
