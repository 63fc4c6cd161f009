import { vmessCipherOf, vmessCiphers } from '../model/ciphers.ts';
import { compact, type Draft, flowOf, namedTls, usedFlow } from '../model/draft.ts';
import { secretSchema, wholeNumber } from '../model/text.ts';
import { uuidOf } from '../model/uuid.ts';
import { addressOf, flagOf, type Link, secretOf } from './parse-link.ts';
import { linkStream, linkTls } from './stream.ts';

/** Reads `vless://`: the proposal for share links of Project X. */
export function readVless(link: Link): Draft {
  const { fields, host } = link;
  fields.refuse('encryption', ['none', '']);
  const [flow, stream] = [flowOf(fields), linkStream(fields, host, 'none')];
  return {
    ...addressOf(link, 443),
    type: 'vless',
    uuid: userOfLink(link),
    flow: usedFlow(fields, flow, stream),
    udp: true,
    ...stream,
  };
}

/** Reads `vmess://` with the user before the host. */
export function readVmessUri(link: Link): Draft {
  const { fields, host } = link;
  const aid = fields.has('aid') ? 'aid' : 'alterId';
  return {
    ...addressOf(link, 443),
    type: 'vmess',
    uuid: userOfLink(link),
    alterId: fields.number(aid, wholeNumber(0, 65_535)) ?? 0,
    cipher:
      fields.choice('encryption', vmessCiphers, vmessCipherOf(fields.text('encryption'))) ?? 'auto',
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

/** Reads `anytls://`. */
export function readAnytls(link: Link): Draft {
  const { fields, host } = link;
  const tls = linkTls(fields, false);
  fields.ignore('security', ['tls']);
  fields.ignore('type', ['tcp', 'raw']);
  return compact({
    ...addressOf(link, 443),
    type: 'anytls',
    password: fields.check('password', secretSchema, secretOf(link, 'password')),
    tls: namedTls(tls, host, undefined),
  });
}

function userOfLink(link: Link): string | undefined {
  const text = secretOf(link, 'UUID')?.trim();
  const user = link.fields.check('UUID', secretSchema, text);
  if (user === undefined) return undefined;
  const uuid = uuidOf(user);
  if (uuid.replaceAll('-', '') !== user.replaceAll('-', '').toLowerCase()) {
    link.fields.flaw('UUID', 'is no UUID: converted as clients do');
  }
  return uuid;
}
