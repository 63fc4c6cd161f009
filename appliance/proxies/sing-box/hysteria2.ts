import { compact, type Draft, namedTls } from '../model/draft.ts';
import { secretSchema, wholeNumber } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { parsePorts } from '../source/ports.ts';
import { singBoxTls } from './transport.ts';

const speed = wholeNumber(0, 100_000);

/** Reads the fields of hysteria2 in sing-box. */
export function singBoxHysteria2(fields: Fields, server: string | undefined): Draft {
  const list = fields.texts('server_ports');
  const ports = list && parsePorts(fields, 'server_ports', list.map(openEnds).join(','));
  const { fingerprint, reality, ...tls } = singBoxTls(fields) ?? {};
  if (tls.insecure === undefined) fields.problem('tls', 'must be enabled');
  if (fingerprint || reality) fields.problem('tls', 'utls and reality are not supported with QUIC');
  fields.refuse('network', ['tcp', 'udp']);
  for (const key of ['brutal_debug', 'bbr_profile', 'hop_interval_max', 'realm'])
    fields.refuse(key);
  return compact({
    password: fields.valid('password', secretSchema),
    ports,
    ...(ports ? { port: ports[0]?.[0] } : {}),
    'hop-interval': seconds(fields, 'hop_interval', wholeNumber(5, 86_400)),
    obfs: obfuscation(fields),
    up: fields.number('up_mbps', speed) || undefined,
    down: fields.number('down_mbps', speed) || undefined,
    tls: namedTls(tls, server, undefined),
  });
}

/** Writes out `:443` and `443:`. */
function openEnds(range: string): string {
  return range.replace(/^:/, '1:').replace(/:$/, ':65535').replace(':', '-');
}

function obfuscation(fields: Fields): Draft | undefined {
  const inner = fields.section('obfs');
  if (inner === undefined) return undefined;
  const type = inner.choice('type', ['salamander']);
  const password = inner.valid('password', secretSchema);
  inner.end();
  return type && { type, password };
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
