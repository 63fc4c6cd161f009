import { vmessCiphers } from '../model/ciphers.ts';
import type { Draft } from '../model/draft.ts';
import { secretSchema, uuidSchema, wholeNumber } from '../model/text.ts';
import { addressOf, flagOf, type Link, secretOf } from './parse-link.ts';
import { linkStream } from './stream.ts';

/** Reads `vless://`: the proposal for share links of Project X. */
export function readVless(link: Link): Draft {
  const { fields, host } = link;
  fields.refuse('encryption', ['none', '']);
  return {
    ...addressOf(link, 443),
    type: 'vless',
    uuid: uuidOf(link),
    flow: fields.choice('flow', ['xtls-rprx-vision']),
    udp: true,
    ...linkStream(fields, host, 'none'),
  };
}

/** Reads `vmess://` with the user before the host. */
export function readVmessUri(link: Link): Draft {
  const { fields, host } = link;
  const aid = fields.has('aid') ? 'aid' : 'alterId';
  return {
    ...addressOf(link, 443),
    type: 'vmess',
    uuid: uuidOf(link),
    alterId: fields.number(aid, wholeNumber(0, 65_535)) ?? 0,
    cipher: fields.choice('encryption', vmessCiphers) ?? 'auto',
    udp: true,
    ...linkStream(fields, host, 'none'),
  };
}

/** Reads `trojan://`. TLS is on if nothing else is set. */
export function readTrojan(link: Link): Draft {
  const { fields, host } = link;
  const password = secretOf(link, 'password');
  if (fields.raw('security') === 'none')
    fields.problem('security', 'trojan needs TLS', 'Allowed: tls, reality.');
  return {
    ...addressOf(link, 443),
    type: 'trojan',
    password: fields.check('password', secretSchema, password),
    udp: true,
    tfo: flagOf(fields, 'tfo') || undefined,
    ...linkStream(fields, host, 'tls'),
  };
}

function uuidOf(link: Link): string | undefined {
  const uuid = secretOf(link, 'UUID')?.toLowerCase();
  return link.fields.check('UUID', uuidSchema, uuid);
}
