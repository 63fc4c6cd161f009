import { compact, type Draft, namedTls } from '../model/draft.ts';
import { secretSchema } from '../model/text.ts';
import { fromBase64Text } from './base64-text.ts';
import { addressOf, decode, type Link } from './parse-link.ts';
import { insecureOf, linkServerName } from './stream.ts';

/** Reads `http://` and `https://`, with a login in plain text or in base64. */
export function readHttp(link: Link): Draft {
  const { fields, host, scheme } = link;
  const tls = compact({ 'server-name': linkServerName(fields), insecure: insecureOf(fields) });
  return compact({
    ...addressOf(link),
    type: 'http',
    ...login(link),
    tls: scheme === 'https' ? namedTls(tls, host, undefined) : undefined,
  });
}

/** Reads `socks://` and `socks5://`, with a login in plain text or in base64. */
export function readSocks(link: Link): Draft {
  return compact({ ...addressOf(link), type: 'socks5', ...login(link), udp: true });
}

function login({ fields, user = '' }: Link): Draft {
  const plain = decode(user) ?? user;
  const decoded = plain.includes(':') ? plain : (fromBase64Text(plain) ?? plain);
  const [username = '', ...rest] = decoded.split(':');
  return {
    username: fields.check('username', secretSchema, username || undefined),
    password: fields.check('password', secretSchema, rest.join(':') || undefined),
  };
}
