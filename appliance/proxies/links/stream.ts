import { compact, type Draft, hostOf, namedTls, plainHost, splitPath } from '../model/draft.ts';
import { hostSchema, serviceSchema, wholeNumber } from '../model/text.ts';
import { alpnSchema, fingerprints } from '../model/transport.ts';
import type { Fields } from '../source/fields.ts';
import { flagOf } from './parse-link.ts';

const types = ['tcp', 'raw', 'ws', 'grpc', 'http', 'h2', 'httpupgrade'] as const;
type Type = (typeof types)[number];

/** Names of parameters, which differ between links and the JSON of v2rayN. */
interface Keys {
  readonly type: string;
  readonly service: string;
  readonly header: string;
}

const linkKeys: Keys = { type: 'type', service: 'serviceName', header: 'headerType' };

/** Reads the parameters of transport and TLS that vmess, vless and trojan share. */
export function linkStream(fields: Fields, server: string, usual: 'none' | 'tls'): Draft {
  const transport = linkTransport(fields, linkKeys);
  const security = fields.choice('security', ['none', 'tls', 'reality']) ?? usual;
  const tls = linkTls(fields, security === 'reality');
  const isSecure = security !== 'none' || transport?.type === 'h2';
  return compact({
    tls: isSecure ? namedTls(tls, server, transport) : undefined,
    transport,
    'packet-encoding':
      fields.choice('packetEncoding', ['xudp', 'packetaddr', 'none'])?.replace(/^none$/, '') ||
      undefined,
  });
}

/** Reads the transport. `type` of grpc and tcp is in another parameter in the JSON of v2rayN. */
export function linkTransport(fields: Fields, keys: Keys): Draft | undefined {
  const type: Type = fields.choice(keys.type, types) ?? 'tcp';
  const header = fields.text(keys.header) ?? 'none';
  const mode = fields.text('mode');
  const { path, early } = splitPath(fields.text('path'));
  const hosts = (fields.text('host') ?? '')
    .split(',')
    .map((host) => plainHost(host.trim()))
    .filter(Boolean);
  const [host] = hosts.map((each) => fields.check('host', hostSchema, each));
  const service = fields.valid(keys.service, serviceSchema) ?? 'GunService';
  fields.refuse('authority');
  fields.refuse('quicSecurity', ['none']);
  if (type === 'grpc') {
    const given = [mode, header].find((each) => each !== undefined && !/^(?:gun|none)$/.test(each));
    // Servers accept both modes at once; the client chooses.
    if (given === 'multi') fields.report.note(fields.position, 'mode: multi is imported as gun');
    else if (given !== undefined) fields.problem('mode', 'unknown value', 'Allowed: gun, multi.');
    return { type, service };
  }
  const isHttp = /^(?:tcp|raw)$/.test(type) && header === 'http';
  if (header !== 'none' && !isHttp) {
    fields.problem(keys.header, 'unknown value', 'Allowed: none; http for tcp.');
  }
  if (isHttp) return { type: 'http', method: 'GET', path, hosts };
  if (type === 'http' || type === 'h2') return { type: 'h2', path, hosts };
  if (type === 'httpupgrade') return compact({ type, path, host });
  if (type !== 'ws') return undefined;
  const size = early ?? (fields.number('ed', wholeNumber(0, 65_535)) || undefined);
  const name = fields.text('eh') ?? (size === undefined ? undefined : 'Sec-WebSocket-Protocol');
  return compact({ type, path, host, 'max-early-data': size, 'early-data-header': name });
}

/** Reads the parameters of TLS and REALITY. */
export function linkTls(fields: Fields, isReality: boolean): Draft {
  const insecure = flagOf(fields, 'allowInsecure', 'insecure');
  flagOf(fields, 'insecure');
  const reality = compact({
    'public-key': fields.text('pbk')?.replace(/=+$/, ''),
    'short-id': fields.text('sid')?.toLowerCase(),
  });
  fields.leaveOut(['spx'], 'not used by mihomo and sing-box');
  if (!isReality) fields.leaveOut(['pbk', 'sid'], 'has no effect without security=reality');
  return compact({
    'server-name': linkServerName(fields),
    insecure: insecure ?? false,
    alpn: linkAlpn(fields),
    fingerprint: fields.choice('fp', fingerprints),
    reality: isReality ? reality : undefined,
  });
}

/** Reads the server name. `peer` is the older name of the parameter; providers write both. */
export function linkServerName(fields: Fields): string | undefined {
  const [sni, peer] = [hostOf(fields, 'sni'), hostOf(fields, 'peer')];
  if (sni !== undefined && peer !== undefined && sni !== peer) {
    fields.report.note(fields.position, 'peer: not imported, because sni differs');
  }
  return sni ?? peer;
}

/** Reads a list of protocols, separated by commas. */
export function linkAlpn(fields: Fields): string[] | undefined {
  const names = fields.text('alpn')?.split(',').filter(Boolean) ?? [];
  const alpn = names.flatMap((name) => fields.check('alpn', alpnSchema, name.trim()) ?? []);
  return alpn.length > 0 ? alpn : undefined;
}
