import { z } from 'zod';
import { login, readLinkLogin, readLogin } from './http.ts';
import { addressOf, type Link } from './link.ts';
import { common, type Protocol, readSingBoxUdp } from './protocol.ts';

const schema = z.strictObject({
  type: z.literal('socks5'),
  ...common,
  ...login,
  udp: z.boolean(),
});

function readLink(link: Link) {
  return { ...addressOf(link), ...readLinkLogin(link), udp: true };
}

/** SOCKS5, without TLS: sing-box does not support it. */
export const socks5 = {
  schema,
  clash: {
    read: (fields) => {
      fields.refuse('tls');
      for (const key of ['skip-cert-verify', 'sni', 'fingerprint']) fields.ignore(key);
      return { ...readLogin(fields), udp: fields.flag('udp') ?? false };
    },
    write: ({ username, password, udp }) => ({ username, password, udp }),
  },
  singBox: {
    type: 'socks',
    read: (fields) => {
      fields.choice('version', ['5']);
      return { ...readLogin(fields), udp: readSingBoxUdp(fields) };
    },
    write: ({ username, password }) => ({ version: '5', username, password }),
  },
  links: { socks: readLink, socks5: readLink },
} satisfies Protocol<z.infer<typeof schema>>;
