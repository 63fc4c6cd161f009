import { alpnOf, compact, type Draft, hostOf, namedTls, sentNameOf } from '../model/draft.ts';
import { congestionControls, relayModes, speedSchema } from '../model/quic.ts';
import { secretSchema, uuidSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { hopInterval, parsePorts } from '../source/ports.ts';
import { refuseTls } from './transport.ts';

/** Options of QUIC that sing-box does not have. */
const tuning = [
  ...['cwnd', 'bbr-profile', 'udp-mtu', 'fast-open', 'disable-mtu-discovery'],
  ...['initial-stream-receive-window', 'max-stream-receive-window', 'recv-window'],
  ...['initial-connection-receive-window', 'max-connection-receive-window', 'recv-window-conn'],
];

/** Reads the fields of hysteria2 in mihomo. */
export function clashHysteria2(fields: Fields): Draft {
  const obfs = fields.choice('obfs', ['salamander', 'none']);
  const secret = fields.valid('obfs-password', secretSchema);
  if (obfs === 'salamander' && secret === undefined) fields.problem('obfs-password', 'is missing');
  const password = fields.valid('password', secretSchema);
  const auth = fields.valid('auth', secretSchema);
  return compact({
    password: password ?? auth,
    ...hopping(fields),
    obfs: obfs === 'salamander' ? { type: obfs, password: secret } : undefined,
    up: megabits(fields, 'up'),
    down: megabits(fields, 'down'),
    tls: quicTls(fields),
  });
}

/** Reads the fields of hysteria in mihomo, with the older names of some. */
export function clashHysteria(fields: Fields): Draft {
  const [auth, older] = ['auth-str', 'auth_str'].map((key) => fields.valid(key, secretSchema));
  if (auth === undefined && older === undefined) fields.refuse('auth');
  // Other protocols are not supported by sing-box.
  fields.choice('protocol', ['udp']);
  fields.refuse('obfs-protocol', ['udp']);
  return compact({
    auth: auth ?? older,
    ...hopping(fields),
    obfs: fields.valid('obfs', secretSchema),
    up: megabits(fields, fields.has('up') ? 'up' : 'up-speed'),
    down: megabits(fields, fields.has('down') ? 'down' : 'down-speed'),
    tls: quicTls(fields),
  });
}

/** Reads the fields of tuic in mihomo. */
export function clashTuic(fields: Fields): Draft {
  // A token belongs to version 4.
  for (const key of ['token', 'ip', 'disable-sni']) fields.refuse(key);
  // An attacker can repeat what is sent before the handshake.
  fields.ignore('reduce-rtt');
  const controller = fields.text('congestion-controller');
  const congestion = congestionControls.find((each) => each === controller);
  if (controller && !congestion) fields.flaw('congestion-controller', 'unknown value');
  return compact({
    uuid: fields.check('uuid', uuidSchema, fields.text('uuid')?.toLowerCase()),
    password: fields.valid('password', secretSchema),
    congestion,
    'udp-relay-mode': fields.choice('udp-relay-mode', relayModes),
    tls: quicTls(fields),
  });
}

function quicTls(fields: Fields): Draft {
  for (const key of tuning) fields.ignore(key);
  for (const key of ['ca', 'ca-str']) fields.refuse(key);
  // UDP is always forwarded.
  fields.ignore('udp', [true, 'true', false, 'false']);
  refuseTls(fields);
  const tls = compact({
    'server-name': sentNameOf(fields, 'sni'),
    insecure: fields.flag('skip-cert-verify') ?? false,
    alpn: alpnOf(fields, 'alpn', fields.texts('alpn')),
  });
  return namedTls(tls, hostOf(fields, 'server'), undefined);
}

function hopping(fields: Fields): Draft {
  const [given, other] = [portRanges(fields, 'ports'), portRanges(fields, 'mport')];
  const ports = given ?? other;
  if (given && other && String(given) !== String(other)) fields.flaw('mport', 'differs from ports');
  const interval = hopInterval(fields, 'hop-interval');
  return { ports, ...(ports ? { port: ports[0]?.[0], 'hop-interval': interval } : {}) };
}

/** Reads ports such as `443,5000-6000`. */
function portRanges(fields: Fields, key: string): [number, number][] | undefined {
  const text = fields.text(key);
  return text === undefined ? undefined : parsePorts(fields, key, text);
}

/** Reads a speed: a number, or a text such as `30 Mbps`. Zero means that none is set. */
function megabits(fields: Fields, key: string): number | undefined {
  const text = fields.text(key);
  if (text === undefined || /^0+$/.test(text)) return undefined;
  const [, digits = '', unit = ''] =
    /^(\d{1,9})(?:\.\d+)?\s*([kmg]?)(?:b(?:it)?\/?p?s)?$/i.exec(text.trim()) ?? [];
  const factor = { k: 0.001, g: 1000 }[unit.toLowerCase()] ?? 1;
  const speed = digits === '' ? Number.NaN : Math.round(Number(digits) * factor);
  return fields.check(key, speedSchema, speed);
}
