import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { addressOf, decode, fromBase64Text, type Link } from './link.ts';
import { common, hostOf, type Protocol } from './protocol.ts';
import {
  clashTls,
  insecureOf,
  linkServerName,
  namedTls,
  quicTlsSchema,
  singBoxTls,
} from './tls.ts';

/** The login of HTTP and SOCKS5. */
export const login = { username: secretSchema.optional(), password: secretSchema.optional() };

const schema = z.strictObject({
  type: z.literal('http'),
  ...common,
  ...login,
  tls: quicTlsSchema.omit({ alpn: true }).optional(),
});

/** Reads the login in Clash and sing-box. */
export function readLogin(fields: Fields) {
  return {
    username: fields.valid('username', secretSchema),
    password: fields.valid('password', secretSchema),
  };
}

/** Reads the login of a link, in plain text or in base64. */
export function readLinkLogin({ fields, user = '' }: Link) {
  const plain = decode(user) ?? user;
  const decoded = plain.includes(':') ? plain : (fromBase64Text(plain) ?? plain);
  const [username = '', ...rest] = decoded.split(':');
  return {
    username: fields.check('username', secretSchema, username || undefined),
    password: fields.check('password', secretSchema, rest.join(':') || undefined),
  };
}

function readLink(link: Link) {
  const { fields, host, scheme } = link;
  const tls = { 'server-name': linkServerName(fields), insecure: insecureOf(fields) };
  return {
    ...addressOf(link),
    ...readLinkLogin(link),
    tls: scheme === 'https' ? namedTls(tls, host) : undefined,
  };
}

/** HTTP CONNECT, also over TLS. */
export const http = {
  schema,
  clash: {
    read: (fields) => {
      const { alpn, ...tls } = clashTls.read(fields, 'sni');
      if (alpn) fields.flaw('alpn', 'not supported for http');
      fields.refuse('headers');
      fields.ignore('udp');
      const isSecure = fields.flag('tls') ?? false;
      return {
        ...readLogin(fields),
        tls: isSecure ? namedTls(tls, hostOf(fields, 'server')) : undefined,
      };
    },
    write: ({ username, password, tls }) => {
      return { username, password, ...(tls ? { tls: true, ...clashTls.write(tls) } : {}) };
    },
  },
  singBox: {
    type: 'http',
    read: (fields, server) => {
      for (const key of ['path', 'headers']) fields.refuse(key);
      const { alpn, ...tls } = singBoxTls.read(fields) ?? {};
      if (alpn) fields.flaw('tls', 'alpn is not supported for http');
      const isSecure = tls.insecure !== undefined;
      return { ...readLogin(fields), tls: isSecure ? namedTls(tls, server) : undefined };
    },
    write: ({ username, password, tls }) => {
      return { username, password, tls: tls && singBoxTls.write(tls) };
    },
  },
  links: { http: readLink, https: readLink },
} satisfies Protocol<z.infer<typeof schema>>;
