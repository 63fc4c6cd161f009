import { z } from 'zod';
import { ipVersion, isInRange } from '#platform/ip.ts';
import { formatOpening } from '../opening.ts';
import { network } from '../urls.ts';

const loopback = [
  ['127.0.0.0', 8],
  ['::1', 128],
] as const;
/** RFC 1918, RFC 6598 and RFC 4193: addresses that the internet does not route. */
const privateNetworks = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
] as const;

const listen = z
  .union([z.ipv4(), z.ipv6()], 'must be an IP address')
  .refine(
    (text) => isOneOf(text, [...loopback, ...privateNetworks]),
    'must be a loopback or private address of the server, such as 10.8.0.1',
  );

/** An open proxy is found and abused within hours, so public networks are never allowed. */
const privateNetwork = network.refine(
  isPrivateRange,
  'must be a private network, such as 10.8.0.0/24',
);

/** The SOCKS5 server for the devices of users. SPEC 1.1 (SOCKS5 server) and 2.1 (`socks-port`). */
export const socks = z
  .strictObject({
    port: z.int().min(1024).max(65535).default(7891).describe('Its port.'),
    listen: listen
      .default('127.0.0.1')
      .describe('Its address: loopback for SSH tunnels, or a private one, as of WireGuard.'),
    username: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,32}$/, 'must be 1 to 32 letters, digits, dots, dashes or _')
      .default('landfall')
      .describe('The user of its login. The password is generated on the server.'),
    allow: z
      .array(privateNetwork)
      .max(64)
      .default([])
      .describe('Private networks of the devices. Required for a private address.'),
  })
  .optional()
  .describe('A SOCKS5 server for your own devices. Default: none.');

type Socks = NonNullable<z.infer<typeof socks>>;

/** Returns whether only this server can reach its SOCKS5 server, so it needs no login. */
export function isOnLoopback({ listen }: Pick<Socks, 'listen'>): boolean {
  return isOneOf(listen, loopback);
}

/** Returns the port that the firewall opens for the SOCKS5 server, such as `7891/tcp`. */
export function socksOpening({ socks }: { readonly socks?: Socks | undefined }): string[] {
  if (socks === undefined || isOnLoopback(socks)) return [];
  return [formatOpening({ first: socks.port, last: socks.port, protocol: 'tcp' })];
}

function isPrivateRange(range: string): boolean {
  const [address = '', prefix] = range.split('/');
  return privateNetworks.some(
    ([first, bits]) =>
      ipVersion(first) === ipVersion(address) &&
      isInRange(address, first, bits) &&
      (prefix === undefined || Number(prefix) >= bits),
  );
}

function isOneOf(text: string, ranges: ReadonlyArray<readonly [string, number]>): boolean {
  return ipVersion(text) !== 0 && ranges.some(([first, bits]) => isInRange(text, first, bits));
}
