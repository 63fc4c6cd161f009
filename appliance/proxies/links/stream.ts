import {
  alpnOf,
  compact,
  type Draft,
  fingerprintOf,
  namedTls,
  plainHost,
  sentNameOf,
  splitPath,
} from '../model/draft.ts';
import { sentNameSchema, serviceSchema, wholeNumber } from '../model/text.ts';
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
  // trojan-go and other programs write ws=1 and wspath.
  const isWs = fields.raw(keys.type) === undefined && flagOf(fields, 'ws') === true;
  const given = fields.text(keys.type)?.trim().toLowerCase();
  const named = fields.choice(keys.type, types, given === 'none' ? 'tcp' : given);
  const type: Type = named ?? (isWs ? 'ws' : 'tcp');
  const header = fields.text(keys.header) ?? 'none';
  const mode = fields.text('mode');
  const { path, early } = splitPath(fields.text(isWs ? 'wspath' : 'path'));
  const hosts = (fields.text('host') ?? '')
    .split(',')
    .map((host) => plainHost(host.trim()))
    .filter(Boolean);
  const [host] = hosts.map((each) => fields.check('host', sentNameSchema, each));
  fields.ignore('authority');
  fields.refuse('quicSecurity', ['none']);
  if (type === 'grpc') {
    const service = fields.valid(keys.service, serviceSchema) ?? 'GunService';
    const other = [mode, header].find((each) => each !== undefined && !/^(?:gun|none)$/.test(each));
    // Servers accept both modes at once; the client chooses.
    if (other === 'multi') fields.report.note(fields.position, 'mode: multi is imported as gun');
    else if (other !== undefined) fields.flaw('mode', 'unknown value', 'Allowed: gun, multi.');
    return { type, service };
  }
  fields.ignore(keys.service, [fields.raw('path')]);
  const isHttp = /^(?:tcp|raw)$/.test(type) && header === 'http';
  if (header !== 'none' && !isHttp) {
    // A header changes what is sent over TCP only.
    const isTcp = /^(?:tcp|raw)$/.test(type) && header !== 'tcp';
    fields[isTcp ? 'problem' : 'flaw'](
      keys.header,
      'unknown value',
      'Allowed: none; http for tcp.',
    );
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
  const insecure = insecureOf(fields);
  const reality = compact({
    'public-key': fields.text('pbk')?.replace(/=+$/, ''),
    'short-id': fields.text('sid')?.toLowerCase(),
  });
  fields.leaveOut(['spx'], 'not used by mihomo and sing-box');
  if (!isReality) fields.leaveOut(['pbk', 'sid'], 'has no effect without security=reality');
  return compact({
    'server-name': linkServerName(fields),
    insecure,
    alpn: linkAlpn(fields),
    fingerprint: fingerprintOf(fields, 'fp'),
    reality: isReality ? reality : undefined,
  });
}

/** Reads the server name. `peer` is the older name of the parameter; providers write both. */
export function linkServerName(fields: Fields): string | undefined {
  const [sni, peer] = [sentNameOf(fields, 'sni'), sentNameOf(fields, 'peer')];
  if (sni !== undefined && peer !== undefined && sni !== peer) {
    fields.report.note(fields.position, 'peer: not imported, because sni differs');
  }
  return sni ?? peer;
}

/** Reads a list of protocols, separated by commas. */
export function linkAlpn(fields: Fields): string[] | undefined {
  return alpnOf(fields, 'alpn', fields.text('alpn')?.split(','));
}

const insecureKeys = ['allowInsecure', 'allow_insecure', 'allowinsecure', 'insecure'];

/** Returns whether the check of the certificate is turned off by one of the keys of programs. */
export function insecureOf(fields: Fields): boolean {
  const flags = [...insecureKeys, 'skip-cert-verify'].map((key) => flagOf(fields, key));
  return flags.includes(true);
}
