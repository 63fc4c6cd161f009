import { z } from 'zod';
import { ipVersion, isInRange } from '#platform/ip.ts';
import { hostOrAddress } from './plain-host.ts';

/** The interface of WireGuard between the server and the devices of its users. */
export const accessLink = 'wg-access';

/** A name of a device, as in `landfall access add laptop`. */
export const deviceName = /^[a-z][a-z0-9-]{0,31}$/;

/** A key of WireGuard (Curve25519) as `wg` writes it: 32 bytes in Base64. */
export const wireguardKey = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** The first address of the network is that of the server; these numbers are for the devices of the site. */
const peerNumbers = { first: 2, last: 127 } as const;
/** And these for those that `landfall access add` makes. */
export const deviceNumbers = { first: 128, last: 254 } as const;

/** RFC 1918. */
const privateNetworks = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const;

const tunnelNetwork = z
  .string()
  .regex(
    /^(?:\d{1,3}\.){3}0\/24$/,
    'must be a private network of 256 addresses, such as 10.86.0.0/24',
  )
  .refine((text) => {
    const [address = ''] = text.split('/');
    return (
      ipVersion(address) === 4 &&
      privateNetworks.some(([first, bits]) => isInRange(address, first, bits))
    );
  }, 'must be a private network of 256 addresses, such as 10.86.0.0/24');

const peer = z.strictObject({
  name: z
    .string()
    .regex(deviceName, 'must be a short name in lower case, such as laptop')
    .describe('A name for people.'),
  public_key: z
    .string()
    .regex(wireguardKey, 'must be a public key of WireGuard, as `wg pubkey` prints it')
    .describe('The public key of the device. Its private key stays there.'),
  address: z
    .ipv4('must be an IPv4 address')
    .describe('Its address in the tunnel: the second to the 127th of the network.'),
});

/** Devices that reach the gateway through a tunnel, while no port of it is public. */
export const access = z
  .strictObject({
    mode: z
      .enum(['wireguard'])
      .describe('How: through WireGuard of the kernel. From outside, only SSH answers.'),
    address: hostOrAddress
      .optional()
      .describe('How the devices reach this server. Default: its public address.'),
    port: z.int().min(1).max(65535).default(51820).describe('The UDP port of WireGuard.'),
    network: tunnelNetwork
      .default('10.86.0.0/24')
      .describe('The network of the tunnel. Its first address is the server.'),
    peers: z
      .array(peer)
      .max(64)
      .default([])
      .describe('Devices with a key of their own. `landfall access add` adds others.'),
  })
  .optional()
  .describe('Reach the chat only through a tunnel, without a public port. Default: none.');

export type Access = NonNullable<z.infer<typeof access>>;

type Tunnel = Pick<Access, 'network'>;

/** Returns the address of the server in the tunnel, where its gateway listens. */
export function tunnelAddress(tunnel: Tunnel): string {
  return deviceAddress(tunnel, 1);
}

/** Returns the address of a device in the tunnel by its number. */
export function deviceAddress({ network }: Tunnel, number: number): string {
  return network.replace(/0\/24$/, `${number}`);
}

/** Returns the first and the last address for a device of the site. */
export function peerAddresses(tunnel: Tunnel): readonly [first: string, last: string] {
  return [deviceAddress(tunnel, peerNumbers.first), deviceAddress(tunnel, peerNumbers.last)];
}

/** Returns whether a device of the site may have an address. */
export function isForPeer(tunnel: Tunnel, address: string): boolean {
  const number = Number(address.split('.').at(-1));
  const isOfSite = number >= peerNumbers.first && number <= peerNumbers.last;
  return isOfSite && deviceAddress(tunnel, number) === address;
}
