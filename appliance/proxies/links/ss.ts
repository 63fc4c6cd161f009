import { ssCipherOf, ssCiphers } from '../model/ciphers.ts';
import type { Draft } from '../model/draft.ts';
import { secretSchema } from '../model/text.ts';
import { parsePluginOptions } from '../source/plugin.ts';
import type { Report } from '../source/report.ts';
import type { Position } from '../source/source.ts';
import { fromBase64Text } from './base64-text.ts';
import { addressOf, decode, flagOf, type Link, splitLink } from './parse-link.ts';

/**
 * Returns the link with its address in plain text. The old form has everything before the name in
 * base64: `ss://` and `method:password@host:port`.
 */
export function splitSs(text: string, position: Position, report: Report): Link | undefined {
  const [, body = '', rest = ''] = /^ss:\/\/([^?#]*)(.*)$/is.exec(text) ?? [];
  const legacy = body.includes('@')
    ? undefined
    : fromBase64Text(decode(body.replace(/\/$/, '')) ?? '');
  // The login in base64 can contain a slash.
  if (legacy === undefined) {
    const user = /^[A-Za-z0-9+/=_-]+(?=@)/.exec(body)?.[0] ?? '';
    return splitLink(
      `ss://${user.replaceAll('/', '%2F')}${body.slice(user.length)}${rest}`,
      position,
      report,
    );
  }
  const at = legacy.lastIndexOf('@');
  const user = encodeURIComponent(legacy.slice(0, Math.max(0, at)));
  return splitLink(`ss://${user}@${legacy.slice(at + 1)}${rest}`, position, report);
}

/** Reads `ss://`: SIP002, and the old form. */
export function readSs(link: Link): Draft | undefined {
  const { fields, user = '' } = link;
  const plain = decode(user) ?? '';
  const login = plain.includes(':') ? plain : fromBase64Text(plain);
  const [, method = '', password] = /^([^:]+):([\s\S]+)$/.exec(login ?? '') ?? [];
  if (password === undefined) {
    fields.report.problem(fields.position, 'method and password: are missing or not valid base64');
    return undefined;
  }
  const cipher = ssCiphers.find((each) => each === ssCipherOf(method));
  // The method is not repeated: it could be the password, if both are exchanged.
  if (!cipher) fields.problem('method', 'unknown method', `Allowed: ${ssCiphers.join(', ')}.`);
  fields.leaveOut(['group', 'remarks', 'remark']);
  // 3x-ui and v2rayN write the transport, even if it is plain TCP.
  for (const key of ['security', 'encryption', 'headerType']) fields.refuse(key, ['none']);
  fields.refuse('type', ['tcp', 'raw']);
  const [name = '', ...options] = (fields.text('plugin') ?? '').split(';');
  return {
    ...addressOf(link),
    type: 'ss',
    cipher,
    password: fields.check('password', secretSchema, password),
    udp: true,
    'udp-over-tcp': flagOf(fields, 'uot', 'udp-over-tcp') ? 1 : undefined,
    plugin: name === '' ? undefined : parsePluginOptions(fields, 'plugin', name, options.join(';')),
  };
}
