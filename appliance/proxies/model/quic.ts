import { z } from 'zod';
import { common } from './common.ts';
import { portSchema, secretSchema, uuidSchema, wholeNumber } from './text.ts';
import { quicTlsSchema } from './transport.ts';

/** Proxies over QUIC. */

const portRange = z
  .tuple([portSchema, portSchema])
  .refine(([first, last]) => first <= last, 'must begin with its lower port');

/** Mbit/s. */
export const speedSchema = wholeNumber(1, 100_000);

const hopping = {
  /** The client changes its port among these; `port` is the first of them. */
  ports: z.array(portRange).min(1).max(64).optional(),
  /** Seconds between changes. */
  'hop-interval': wholeNumber(5, 86_400).optional(),
};

interface Hopping {
  readonly port: number;
  readonly ports?: readonly (readonly [number, number])[] | undefined;
  readonly 'hop-interval'?: number | undefined;
}

function beginsWithPort({ port, ports }: Hopping): boolean {
  return ports === undefined || ports[0]?.[0] === port;
}

function hasPortsToHop(proxy: Hopping): boolean {
  return proxy.ports !== undefined || proxy['hop-interval'] === undefined;
}

const beginsError = { error: 'must begin with the port of the proxy', path: ['ports'] };
const hopError = { error: 'needs several ports', path: ['hop-interval'] };

export const hysteria = z
  .strictObject({
    type: z.literal('hysteria'),
    ...common,
    ...hopping,
    auth: secretSchema.optional(),
    /** A password for obfuscation. */
    obfs: secretSchema.optional(),
    up: speedSchema,
    down: speedSchema,
    tls: quicTlsSchema,
  })
  .refine(beginsWithPort, beginsError)
  .refine(hasPortsToHop, hopError);

export const hysteria2 = z
  .strictObject({
    type: z.literal('hysteria2'),
    ...common,
    ...hopping,
    password: secretSchema.optional(),
    obfs: z.strictObject({ type: z.literal('salamander'), password: secretSchema }).optional(),
    up: speedSchema.optional(),
    down: speedSchema.optional(),
    tls: quicTlsSchema,
  })
  .refine(beginsWithPort, beginsError)
  .refine(hasPortsToHop, hopError);

export const congestionControls = ['cubic', 'new_reno', 'bbr'] as const;
export const relayModes = ['native', 'quic'] as const;

/** TUIC, version 5. */
export const tuic = z.strictObject({
  type: z.literal('tuic'),
  ...common,
  uuid: uuidSchema,
  password: secretSchema.optional(),
  congestion: z.enum(congestionControls).optional(),
  'udp-relay-mode': z.enum(relayModes).optional(),
  tls: quicTlsSchema,
});
