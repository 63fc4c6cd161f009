import { compact, type Draft, namedTls } from '../model/draft.ts';
import { congestionControls, relayModes } from '../model/quic.ts';
import { secretSchema, uuidSchema, wholeNumber } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { parsePorts } from '../source/ports.ts';
import { singBoxTls } from './transport.ts';

const speed = wholeNumber(0, 100_000);
const networks = ['tcp', 'udp'];
const windows = ['recv_window_conn', 'recv_window', 'disable_mtu_discovery'];

/** Reads the fields of hysteria2 in sing-box. */
export function singBoxHysteria2(fields: Fields, server: string | undefined): Draft {
  fields.ignore('network', networks);
  for (const key of ['brutal_debug', 'bbr_profile', 'hop_interval_max']) fields.ignore(key);
  fields.refuse('realm');
  return compact({
    password: fields.valid('password', secretSchema),
    ...hopping(fields),
    obfs: obfuscation(fields),
    up: fields.number('up_mbps', speed) || undefined,
    down: fields.number('down_mbps', speed) || undefined,
    tls: quicTls(fields, server),
  });
}

/** Reads the fields of hysteria in sing-box. */
export function singBoxHysteria(fields: Fields, server: string | undefined): Draft {
  fields.ignore('network', networks);
  for (const key of windows) fields.ignore(key);
  fields.refuse('auth');
  return compact({
    auth: fields.valid('auth_str', secretSchema),
    ...hopping(fields),
    obfs: fields.valid('obfs', secretSchema),
    up: megabits(fields, 'up_mbps', 'up'),
    down: megabits(fields, 'down_mbps', 'down'),
    tls: quicTls(fields, server),
  });
}

/** Reads the fields of tuic in sing-box. */
export function singBoxTuic(fields: Fields, server: string | undefined): Draft {
  fields.ignore('network', networks);
  // An attacker can repeat what is sent before the handshake.
  for (const key of ['zero_rtt_handshake', 'heartbeat']) fields.ignore(key);
  fields.refuse('udp_over_stream');
  return compact({
    uuid: fields.check('uuid', uuidSchema, fields.text('uuid')?.toLowerCase()),
    password: fields.valid('password', secretSchema),
    congestion: fields.choice('congestion_control', congestionControls),
    'udp-relay-mode': fields.choice('udp_relay_mode', relayModes),
    tls: quicTls(fields, server),
  });
}

function quicTls(fields: Fields, server: string | undefined): Draft {
  const { fingerprint, reality, ...tls } = singBoxTls(fields) ?? {};
  if (tls.insecure === undefined) fields.problem('tls', 'must be enabled');
  if (fingerprint || reality) fields.problem('tls', 'utls and reality are not supported with QUIC');
  return namedTls(tls, server, undefined);
}

function hopping(fields: Fields): Draft {
  const list = fields.texts('server_ports');
  const ports = list && parsePorts(fields, 'server_ports', list.map(openEnds).join(','));
  return {
    ports,
    ...(ports ? { port: ports[0]?.[0] } : {}),
    'hop-interval': seconds(fields, 'hop_interval', wholeNumber(5, 86_400)),
  };
}

/** Writes out `:443` and `443:`. */
function openEnds(range: string): string {
  return range.replace(/^:/, '1:').replace(/:$/, ':65535').replace(':', '-');
}

function obfuscation(fields: Fields): Draft | undefined {
  const inner = fields.section('obfs');
  const type = inner?.choice('type', ['salamander']);
  const password = inner?.valid('password', secretSchema);
  inner?.end();
  return type && { type, password };
}

/** Reads a speed as a number, or as a text such as `100 Mbps`. */
function megabits(fields: Fields, key: string, textKey: string): number | undefined {
  const number = fields.number(key, speed);
  const text = fields.text(textKey);
  if (number || text === undefined) return number;
  const digits = /^(\d{1,6})\s*mbps$/i.exec(text)?.[1];
  return fields.check(textKey, speed, digits === undefined ? Number.NaN : Number(digits));
}

/** Reads a duration of Go in whole seconds, such as `30s`, `5m` or `1h30m`. */
export function seconds(
  fields: Fields,
  key: string,
  schema: ReturnType<typeof wholeNumber>,
): number | undefined {
  const text = fields.text(key);
  if (text === undefined) return undefined;
  const [, hours, minutes, rest] =
    /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/.exec(text) ?? [];
  const isEmpty = (hours ?? minutes ?? rest) === undefined;
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest ?? 0);
  return fields.check(key, schema, isEmpty ? Number.NaN : total);
}
