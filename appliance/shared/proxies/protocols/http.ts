import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import { addressOf, decode, fromBase64Text, type Link } from './link.ts';
import { common, type Part, type Protocol, secretField, udpField } from './protocol.ts';
import { clashTls, insecureOf, linkServerName, quicTlsSchema, singBoxTls } from './tls.ts';

/** The login of HTTP and SOCKS5. */
const login = { username: secretSchema.optional(), password: secretSchema.optional() };
const loginFields = [secretField('username'), secretField('password')];

const schema = z.strictObject({
  type: z.literal('http'),
  ...common,
  ...login,
  tls: quicTlsSchema.omit({ alpn: true }).optional(),
});
type Http = z.infer<typeof schema>;

/** Reads the login of a link, in plain text or in base64. */
function readLinkLogin({ fields, user = '' }: Link) {
  const plain = decode(user) ?? user;
  const decoded = plain.includes(':') ? plain : (fromBase64Text(plain) ?? plain);
  const [username = '', ...rest] = decoded.split(':');
  return {
    username: fields.check('username', secretSchema, username || undefined),
    password: fields.check('password', secretSchema, rest.join(':') || undefined),
  };
}

const tls: Part<Http> = {
  clash: {
    read: (fields) => {
      const { alpn, ...options } = clashTls.read(fields, 'sni');
      if (alpn) fields.flaw('alpn', 'not-for-http');
      return { tls: fields.flag('tls') ? options : undefined };
    },
    write: (proxy) => (proxy.tls ? { tls: true, ...clashTls.write(proxy.tls) } : {}),
  },
  singBox: {
    read: (fields) => {
      const { alpn, ...options } = singBoxTls.read(fields) ?? {};
      if (alpn) fields.flaw('tls', 'alpn-for-http');
      return { tls: 'insecure' in options ? options : undefined };
    },
    write: (proxy) => ({ tls: proxy.tls && singBoxTls.write(proxy.tls) }),
  },
};

function readHttpLink(link: Link) {
  const { fields, scheme } = link;
  const options = { 'server-name': linkServerName(fields), insecure: insecureOf(fields) };
  const isSecure = scheme === 'https';
  return { ...addressOf(link), ...readLinkLogin(link), tls: isSecure ? options : undefined };
}

/** HTTP CONNECT, also over TLS. */
export const http = {
  schema,
  singBoxType: 'http',
  parts: [...loginFields, tls],
  others: {
    clash: (fields) => {
      fields.refuse('headers');
      fields.ignore('udp');
    },
    singBox: (fields) => fields.refuse(['path', 'headers']),
  },
  links: { http: readHttpLink, https: readHttpLink },
} satisfies Protocol<Http>;

const socksSchema = z.strictObject({
  type: z.literal('socks5'),
  ...common,
  ...login,
  udp: z.boolean(),
});

const version: Part<unknown> = {
  clash: { read: () => ({}), write: () => ({}) },
  singBox: {
    read: (fields) => {
      fields.choice('version', ['5']);
      return {};
    },
    write: () => ({ version: '5' }),
  },
};

function readSocksLink(link: Link) {
  return { ...addressOf(link), ...readLinkLogin(link), udp: true };
}

/** SOCKS5, without TLS: sing-box does not support it. */
export const socks5 = {
  schema: socksSchema,
  singBoxType: 'socks',
  parts: [version, ...loginFields, udpField],
  others: {
    clash: (fields) => {
      fields.refuse('tls');
      fields.ignore(['skip-cert-verify', 'sni', 'fingerprint']);
    },
  },
  links: { socks: readSocksLink, socks5: readSocksLink },
} satisfies Protocol<z.infer<typeof socksSchema>>;
