import { z } from 'zod';
import { fromBase64 } from '#contract/text/bytes.ts';
import { secretSchema, wholeNumber } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { because } from '../source/reasons.ts';
import type { Position, Report } from '../source/report.ts';
import { addressOf, decode, flagOf, fromBase64Text, type Link, splitLink } from './link.ts';
import { common, field, type Part, type Protocol, secretField, udpField } from './protocol.ts';
import { plugin, pluginSchema, readPluginOptions } from './ss-plugin.ts';

/** Methods of Shadowsocks that mihomo and sing-box both support. */
export const ssCiphers = [
  ...['aes-128-gcm', 'aes-192-gcm', 'aes-256-gcm'],
  ...['chacha20-ietf-poly1305', 'xchacha20-ietf-poly1305'],
  ...['2022-blake3-aes-128-gcm', '2022-blake3-aes-256-gcm', '2022-blake3-chacha20-poly1305'],
  ...['aes-128-ctr', 'aes-192-ctr', 'aes-256-ctr', 'aes-128-cfb', 'aes-192-cfb', 'aes-256-cfb'],
  ...['chacha20-ietf', 'xchacha20', 'rc4-md5', 'none'],
] as const;

const schema = z
  .strictObject({
    type: z.literal('ss'),
    ...common,
    cipher: z.enum(ssCiphers),
    password: secretSchema,
    udp: z.boolean(),
    'udp-over-tcp': z.union([z.literal(1), z.literal(2)]).optional(),
    plugin: pluginSchema.optional(),
  })
  .refine(({ cipher, password }) => isPasswordOf(cipher, password), {
    error: because('no-key'),
    path: ['password'],
  });

const keyBytes: Readonly<Record<string, number>> = {
  '2022-blake3-aes-128-gcm': 16,
  '2022-blake3-aes-256-gcm': 32,
  '2022-blake3-chacha20-poly1305': 32,
};

/**
 * Returns whether a password fits its method. Methods of 2022 need keys of a fixed length in base64;
 * those with AES accept several, separated by colons (SIP022, SIP023).
 */
function isPasswordOf(cipher: string, password: string): boolean {
  const length = keyBytes[cipher];
  if (length === undefined) return true;
  const keys = password.split(':');
  if (keys.length > 1 && !cipher.includes('aes')) return false;
  return keys.every((key) => key.length % 4 === 0 && fromBase64(key)?.length === length);
}

const aliases: ReadonlyMap<string, string> = new Map([
  ['chacha20-poly1305', 'chacha20-ietf-poly1305'],
  ['xchacha20-poly1305', 'xchacha20-ietf-poly1305'],
  ['plain', 'none'],
  ['dummy', 'none'],
]);

/** Returns the standard name of a method. */
function standardName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/^aead_/, '')
    .replaceAll('_', '-');
  return aliases.get(name) ?? name;
}

function cipherOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key);
  return text && fields.choice(key, ssCiphers, standardName(text));
}

/** Reads `udp_over_tcp` of sing-box: a boolean, or a map with the version. */
function singBoxUdpOverTcp(fields: Fields): number | undefined {
  const isMap = typeof fields.raw('udp_over_tcp') === 'object';
  if (!isMap) return fields.flag('udp_over_tcp') ? 2 : undefined;
  return fields.within('udp_over_tcp', (options) => {
    const version = options.number('version', wholeNumber(1, 2)) ?? 2;
    return options.flag('enabled') ? version : undefined;
  });
}

const udpOverTcp: Part<Pick<z.infer<typeof schema>, 'udp-over-tcp'>> = {
  clash: {
    read: (fields) => {
      const isOn = fields.flag('udp-over-tcp') ?? false;
      const version = fields.number('udp-over-tcp-version', wholeNumber(1, 2)) ?? 1;
      return { 'udp-over-tcp': isOn ? version : undefined };
    },
    write: ({ 'udp-over-tcp': version }) =>
      version ? { 'udp-over-tcp': true, 'udp-over-tcp-version': version } : {},
  },
  singBox: {
    read: (fields) => ({ 'udp-over-tcp': singBoxUdpOverTcp(fields) }),
    write: ({ 'udp-over-tcp': version }) => ({
      udp_over_tcp: version && { enabled: true, version },
    }),
  },
};

/** Shadowsocks. Links are of SIP002, or of the older form, which {@link splitSs} converts. */
export const ss = {
  schema,
  singBoxType: 'shadowsocks',
  parts: [
    field('cipher', { clash: 'cipher', singBox: 'method' }, cipherOf),
    secretField('password'),
    udpField,
    udpOverTcp,
    plugin,
  ],
  // Clients of Clash use no TLS there.
  others: { clash: (fields) => fields.ignore('tls') },
  links: {
    ss: (link) => {
      const { fields, user = '' } = link;
      const plain = decode(user) ?? '';
      const login = plain.includes(':') ? plain : fromBase64Text(plain);
      const [, method = '', password] = /^([^:]+):([\s\S]+)$/.exec(login ?? '') ?? [];
      if (password === undefined) {
        const flaw = { at: 'method and password', reason: 'no-base64' } as const;
        return void fields.report.problem(fields.position, flaw);
      }
      const cipher = ssCiphers.find((each) => each === standardName(method));
      // The method is not repeated: it could be the password, if both are exchanged.
      if (!cipher) fields.problem('method', 'unknown-method', `allowed ${ssCiphers.join(', ')}`);
      fields.leaveOut(['group', 'remarks', 'remark']);
      // 3x-ui and v2rayN write the transport, even if it is plain TCP.
      fields.refuse(['security', 'encryption', 'headerType'], ['none']);
      fields.refuse('type', ['tcp', 'raw']);
      const [name = '', ...options] = (fields.text('plugin') ?? '').split(';');
      return {
        ...addressOf(link),
        cipher,
        password: fields.check('password', secretSchema, password),
        udp: true,
        'udp-over-tcp': flagOf(fields, 'uot', 'udp-over-tcp') ? 1 : undefined,
        plugin: name === '' ? undefined : readPluginOptions(fields, name, options.join(';')),
      };
    },
  },
} satisfies Protocol<z.infer<typeof schema>>;

/**
 * Returns the link with its address in plain text. The old form has everything before the name in
 * base64: `ss://` and `method:password@host:port`.
 */
export function splitSs(text: string, position: Position, report: Report): Link | undefined {
  const [, body = '', rest = ''] = /^ss:\/\/([^?#]*)(.*)$/is.exec(text) ?? [];
  const legacy = body.includes('@')
    ? undefined
    : fromBase64Text(decode(body.replace(/\/$/, '')) ?? '');
  if (legacy !== undefined) {
    const at = legacy.lastIndexOf('@');
    const user = encodeURIComponent(legacy.slice(0, Math.max(0, at)));
    return splitLink(`ss://${user}@${legacy.slice(at + 1)}${rest}`, position, report);
  }
  // The login in base64 can contain a slash.
  const user = /^[A-Za-z0-9+/=_-]+(?=@)/.exec(body)?.[0] ?? '';
  const address = `${user.replaceAll('/', '%2F')}${body.slice(user.length)}`;
  return splitLink(`ss://${address}${rest}`, position, report);
}
