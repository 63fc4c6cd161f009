import { z } from 'zod';
import { isPasswordOf, ssCiphers, vmessCiphers } from './ciphers.ts';
import { common } from './common.ts';
import { hysteria, hysteria2, tuic } from './quic.ts';
import { pathSchema, secretSchema, sentNameSchema, uuidSchema, wholeNumber } from './text.ts';
import { httpTlsSchema, tlsSchema, transportSchema } from './transport.ts';

const stream = { tls: tlsSchema.optional(), transport: transportSchema.optional() };
/** Whether UDP is forwarded too. */
const udp = z.boolean();
const packets = { 'packet-encoding': z.enum(['xudp', 'packetaddr']).optional() };
const login = { username: secretSchema.optional(), password: secretSchema.optional() };

/** Plugins of Shadowsocks that mihomo and sing-box both contain. */
const plugin = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('obfs'), mode: z.enum(['http', 'tls']), host: sentNameSchema }),
  z.strictObject({
    type: z.literal('v2ray-plugin'),
    tls: z.boolean(),
    host: sentNameSchema,
    path: pathSchema,
    mux: z.boolean(),
  }),
]);

const ss = z
  .strictObject({
    type: z.literal('ss'),
    ...common,
    cipher: z.enum(ssCiphers),
    password: secretSchema,
    udp,
    'udp-over-tcp': z.union([z.literal(1), z.literal(2)]).optional(),
    plugin: plugin.optional(),
  })
  .refine(({ cipher, password }) => isPasswordOf(cipher, password), {
    error: 'must be a key of the length of its cipher, in base64',
    path: ['password'],
  });

const vmess = z.strictObject({
  type: z.literal('vmess'),
  ...common,
  uuid: uuidSchema,
  alterId: wholeNumber(0, 65_535),
  cipher: z.enum(vmessCiphers),
  udp,
  ...packets,
  ...stream,
});

const vless = z
  .strictObject({
    type: z.literal('vless'),
    ...common,
    uuid: uuidSchema,
    flow: z.literal('xtls-rprx-vision').optional(),
    udp,
    ...packets,
    ...stream,
  })
  .refine(({ flow, tls, transport }) => !flow || (tls && !transport), {
    error: 'needs TLS and no transport',
    path: ['flow'],
  });

const trojan = z
  .strictObject({
    type: z.literal('trojan'),
    ...common,
    password: secretSchema,
    udp,
    tls: tlsSchema,
    transport: transportSchema.optional(),
  })
  .refine(({ transport }) => !transport || !/^(?:h2|http)$/.test(transport.type), {
    error: 'must be ws, grpc or httpupgrade for trojan',
    path: ['transport'],
  });

const anytls = z
  .strictObject({ type: z.literal('anytls'), ...common, password: secretSchema, tls: tlsSchema })
  .refine(({ tls }) => !tls.reality, { error: 'must not be REALITY', path: ['tls'] })
  .refine(({ tfo }) => !tfo, { error: 'not supported by anytls', path: ['tfo'] });

const http = z.strictObject({
  type: z.literal('http'),
  ...common,
  ...login,
  tls: httpTlsSchema.optional(),
});

const socks5 = z.strictObject({ type: z.literal('socks5'), ...common, ...login, udp });

const anyProxy = z.discriminatedUnion('type', [
  ss,
  vmess,
  vless,
  trojan,
  anytls,
  hysteria,
  hysteria2,
  tuic,
  http,
  socks5,
]);

/** A proxy server. SPEC 2.1, `proxies[]`, with the settings that mihomo and sing-box share. */
export const proxySchema = anyProxy
  .refine(hasTlsIfNeeded, { error: 'h2 needs TLS, and http must not have it', path: ['transport'] })
  .refine((proxy) => !('username' in proxy) || !proxy.password || Boolean(proxy.username), {
    error: 'needs a username',
    path: ['password'],
  });

export type ProxyEntry = z.infer<typeof proxySchema>;
export type ProxyType = ProxyEntry['type'];

/** Types of proxies, as in `type` of mihomo. */
export const proxyTypes = [
  ...[
    'ss',
    'vmess',
    'vless',
    'trojan',
    'anytls',
    'hysteria',
    'hysteria2',
    'tuic',
    'http',
    'socks5',
  ],
] as const satisfies readonly string[];

function hasTlsIfNeeded(proxy: z.infer<typeof anyProxy>): boolean {
  if (!('transport' in proxy)) return true;
  const { tls, transport } = proxy;
  return transport?.type === 'h2' ? tls !== undefined : transport?.type !== 'http' || !tls;
}
