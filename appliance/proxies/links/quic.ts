import { compact, type Draft, namedTls } from '../model/draft.ts';
import { congestionControls, relayModes } from '../model/quic.ts';
import { secretSchema, uuidSchema, wholeNumber } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { hopInterval, parsePorts } from '../source/ports.ts';
import { addressOf, decode, flagOf, type Link } from './parse-link.ts';
import { insecureOf, linkAlpn, linkServerName } from './stream.ts';

const speed = wholeNumber(0, 100_000);

/** Reads `hysteria2://` and `hy2://`. The port can be a list: `443,5000-6000`. */
export function readHysteria2(link: Link): Draft {
  const { fields, user } = link;
  const password = user === undefined ? undefined : decode(user);
  if (user && password === undefined) fields.problem('password', 'is not valid percent-encoding');
  const obfs = fields.choice('obfs', ['salamander', 'none']);
  const secret = fields.valid('obfs-password', secretSchema);
  if (obfs === 'salamander' && !secret) fields.problem('obfs-password', 'is missing');
  fields.ignore('security', ['tls']);
  fields.refuse('pinSHA256');
  return compact({
    ...hopping(link),
    type: 'hysteria2',
    password: fields.check('password', secretSchema, password || undefined),
    obfs: obfs === 'salamander' ? { type: obfs, password: secret } : undefined,
    up: megabits(fields, fields.has('up') ? 'up' : 'upmbps'),
    down: megabits(fields, fields.has('down') ? 'down' : 'downmbps'),
    tls: quicTls(link),
  });
}

/** Reads `hysteria://`, version 1. */
export function readHysteria(link: Link): Draft {
  const { fields } = link;
  // Other protocols are not supported by sing-box.
  fields.choice('protocol', ['udp']);
  const obfs = fields.valid('obfsParam', secretSchema);
  if (obfs) fields.choice('obfs', ['xplus']);
  return compact({
    ...hopping(link),
    type: 'hysteria',
    auth: fields.valid(fields.has('auth') ? 'auth' : 'auth_str', secretSchema),
    obfs: obfs ?? fields.valid('obfs', secretSchema),
    up: megabits(fields, fields.has('up') ? 'up' : 'upmbps'),
    down: megabits(fields, fields.has('down') ? 'down' : 'downmbps'),
    tls: quicTls(link),
  });
}

/** Reads `tuic://`, version 5. */
export function readTuic(link: Link): Draft {
  const { fields, user = '' } = link;
  const [uuid = '', ...rest] = (decode(user) ?? user).split(':');
  const password = rest.join(':') || fields.text('password');
  const controller = fields.text('congestion_control') ?? fields.text('congestion_controller');
  const congestion = congestionControls.find((each) => each === controller);
  if (controller && !congestion) fields.flaw('congestion_control', 'unknown value');
  if (flagOf(fields, 'disable_sni')) fields.problem('disable_sni', 'not supported');
  // An attacker can repeat what is sent before the handshake.
  fields.ignore('reduce_rtt');
  fields.ignore('version', [5, '5']);
  fields.ignore('security', ['tls']);
  return compact({
    ...addressOf(link, 443),
    type: 'tuic',
    uuid: fields.check('UUID', uuidSchema, uuid.toLowerCase()),
    password: fields.check('password', secretSchema, password),
    congestion,
    'udp-relay-mode': fields.choice('udp_relay_mode', relayModes),
    tls: quicTls(link),
  });
}

function quicTls({ fields, host }: Link): Draft {
  const tls = { 'server-name': linkServerName(fields), insecure: insecureOf(fields) };
  return namedTls(compact({ ...tls, alpn: linkAlpn(fields) }), host, undefined);
}

/** Returns the address and the ports among which the client changes. */
function hopping(link: Link): Draft {
  const { fields, port } = link;
  const many = /[,-]/.test(port) ? port : fields.text('mport');
  const ports = many === undefined ? undefined : parsePorts(fields, 'port', many);
  const first = String(ports?.[0]?.[0] ?? '');
  return {
    ...addressOf(many === undefined ? link : { ...link, port: first }, 443),
    ports,
    'hop-interval': ports && hopInterval(fields, 'hop-interval'),
  };
}

/** Reads a speed in Mbit/s. Zero means that none is set. */
function megabits(fields: Fields, key: string): number | undefined {
  const text = fields.text(key)?.replaceAll('+', ' ').trim();
  const digits = /^(\d{1,6})(?:\.\d+)?\s*(?:mbps)?$/i.exec(text ?? '')?.[1];
  if (text !== undefined && digits === undefined) return fields.flaw(key, 'must be a speed');
  return (digits && fields.check(key, speed, Number(digits))) || undefined;
}
