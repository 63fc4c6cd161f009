import { z } from 'zod';
import { pathSchema, sentNameSchema, serviceSchema, wholeNumber } from './text.ts';

/** Settings of connections that mihomo and sing-box both support, with the same meaning. */

/** Fingerprints of TLS clients. */
export const fingerprints = [
  ...['chrome', 'firefox', 'safari', 'ios', 'android', 'edge', '360', 'qq'],
  ...['random', 'randomized'],
] as const;

/** A protocol of the TLS extension ALPN. */
export const alpnSchema = z.string().regex(/^[a-z0-9./-]{1,32}$/, 'must be a protocol such as h2');

const alpnList = z.array(alpnSchema).min(1).max(8);

/** Keys of a REALITY server. */
const realitySchema = z.strictObject({
  'public-key': z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in url-safe base64'),
  'short-id': z
    .string()
    .regex(/^(?:[0-9a-f]{2}){1,8}$/, 'must have 2 to 16 hexadecimal digits')
    .optional(),
});

/** TLS of a connection over QUIC. */
export const quicTlsSchema = z.strictObject({
  /** Written out always, because programs derive it differently. */
  'server-name': sentNameSchema,
  insecure: z.boolean(),
  alpn: alpnList.optional(),
});

/** TLS of a connection over TCP. */
export const tlsSchema = quicTlsSchema
  .extend({
    fingerprint: z.enum(fingerprints).optional(),
    reality: realitySchema.optional(),
  })
  .refine(({ fingerprint, reality }) => !reality || fingerprint, 'reality needs a fingerprint');

/** TLS of an HTTP proxy. */
export const httpTlsSchema = quicTlsSchema.omit({ alpn: true });

/** A transport below TLS. Without one, the protocol uses TCP directly. */
export const transportSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('ws'),
    path: pathSchema,
    host: sentNameSchema.optional(),
    'max-early-data': wholeNumber(1, 65_535).optional(),
    'early-data-header': z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header')
      .optional(),
  }),
  z.strictObject({
    type: z.literal('httpupgrade'),
    path: pathSchema,
    host: sentNameSchema.optional(),
  }),
  z.strictObject({ type: z.literal('grpc'), service: serviceSchema }),
  /** HTTP/2, with TLS. */
  z.strictObject({
    type: z.literal('h2'),
    path: pathSchema,
    hosts: z.array(sentNameSchema).min(1).max(16),
  }),
  /** HTTP/1.1, without TLS. */
  z.strictObject({
    type: z.literal('http'),
    method: z.enum(['GET', 'POST', 'PUT']),
    path: pathSchema,
    hosts: z.array(sentNameSchema).max(16),
  }),
]);

export type Tls = z.infer<typeof tlsSchema>;
export type HttpTls = z.infer<typeof httpTlsSchema>;
export type Transport = z.infer<typeof transportSchema>;
