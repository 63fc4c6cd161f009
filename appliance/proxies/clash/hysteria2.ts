import { compact, type Draft, hostOf, namedTls } from '../model/draft.ts';
import { secretSchema, wholeNumber } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { parsePorts } from '../source/ports.ts';
import { clashAlpn, refuseTls } from './transport.ts';

/** Options of QUIC that sing-box does not have. */
const tuning = [
  ...['cwnd', 'bbr-profile', 'udp-mtu', 'ca', 'ca-str', 'fast-open', 'disable-mtu-discovery'],
  ...['initial-stream-receive-window', 'max-stream-receive-window'],
  ...['initial-connection-receive-window', 'max-connection-receive-window'],
];

/** Reads the fields of hysteria2 in mihomo. */
export function clashHysteria2(fields: Fields): Draft {
  const [given, other] = [portRanges(fields, 'ports'), portRanges(fields, 'mport')];
  const ports = given ?? other;
  if (given && other && String(given) !== String(other))
    fields.problem('mport', 'differs from ports');
  const obfs = fields.choice('obfs', ['salamander']);
  const secret = fields.valid('obfs-password', secretSchema);
  if (obfs && secret === undefined) fields.problem('obfs-password', 'is missing');
  for (const key of tuning) fields.refuse(key);
  refuseTls(fields);
  fields.refuse('udp', [true, 'true']);
  const password = fields.valid('password', secretSchema) ?? fields.valid('auth', secretSchema);
  const tls = compact({
    'server-name': hostOf(fields, 'sni'),
    insecure: fields.flag('skip-cert-verify') ?? false,
    alpn: clashAlpn(fields),
  });
  return compact({
    password,
    ports,
    ...(ports ? { port: ports[0]?.[0] } : {}),
    'hop-interval': fields.number('hop-interval', wholeNumber(5, 86_400)),
    obfs: obfs && { type: obfs, password: secret },
    up: megabits(fields, 'up'),
    down: megabits(fields, 'down'),
    tls: namedTls(tls, hostOf(fields, 'server'), undefined),
  });
}

/** Reads ports such as `443,5000-6000`. */
function portRanges(fields: Fields, key: string): [number, number][] | undefined {
  const text = fields.text(key);
  return text === undefined ? undefined : parsePorts(fields, key, text);
}

/** Reads a speed: a number, or a text such as `30 Mbps`. */
function megabits(fields: Fields, key: string): number | undefined {
  const text = fields.text(key);
  if (text === undefined) return undefined;
  const [, digits = '', unit = ''] = /^(\d{1,9})\s*([kmg]?)(?:bps)?$/i.exec(text) ?? [];
  const factor = { k: 0.001, g: 1000 }[unit.toLowerCase()] ?? 1;
  const speed = digits === '' ? Number.NaN : Math.round(Number(digits) * factor);
  return fields.check(key, wholeNumber(1, 100_000), speed);
}
