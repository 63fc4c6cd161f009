import { z } from 'zod';
import { portSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { because } from '../source/reasons.ts';
import { anytls } from './anytls.ts';
import { http, socks5 } from './http.ts';
import { hysteria, hysteria2 } from './hysteria.ts';
import {
  compact,
  field,
  hostOf,
  nameOf,
  type Part,
  type Protocol,
  validEntry,
  type Written,
} from './protocol.ts';
import { ss } from './ss.ts';
import type { TransportValues } from './transport.ts';
import { trojan } from './trojan.ts';
import { tuic } from './tuic.ts';
import { vless } from './vless.ts';
import { vmess } from './vmess.ts';

/** All protocols by `type` of mihomo. The order is the order in hints. */
const all = { ss, vmess, vless, trojan, anytls, hysteria, hysteria2, tuic, http, socks5 };

const [, ...otherSchemas] = Object.values(all).map(({ schema }) => schema);
const anyProxy = z.discriminatedUnion('type', [ss.schema, ...otherSchemas]);

/** A proxy server. SPEC 2.1, `proxies[]`, with the settings that mihomo and sing-box share. */
export const proxySchema = anyProxy
  .refine(hasTlsIfNeeded, { error: because('h2-tls'), path: ['transport'] })
  .refine((proxy) => !('username' in proxy) || !proxy.password || Boolean(proxy.username), {
    error: because('no-username'),
    path: ['password'],
  });

function hasTlsIfNeeded(proxy: z.infer<typeof anyProxy>): boolean {
  if (!('transport' in proxy)) return true;
  const { tls, transport } = proxy;
  return transport?.type === 'h2' ? tls !== undefined : transport?.type !== 'http' || !tls;
}

export type ProxyEntry = z.infer<typeof proxySchema>;
export type ProxyType = ProxyEntry['type'];

export const protocols: Readonly<Record<ProxyType, Protocol<never>>> = all;

/** Types of proxies, as in `type` of mihomo. */
export const proxyTypes = Object.keys(all) as ProxyType[];

/**
 * Reads an entry, reports its unread fields, and validates it. Problems are reported at the line of
 * the entry, or of the field.
 * @param read reads the fields of any format; undefined after a reported problem
 */
export function readEntry(
  fields: Fields,
  type: ProxyType,
  read: () => Written | undefined,
): ProxyEntry | undefined {
  const entry = fields.report.attempt(() => {
    const found = read();
    const adjusted = found && (protocols[type].adjust?.(fields, found) ?? found);
    if (found) fields.end();
    return adjusted && { ...adjusted, type };
  });
  return entry && validEntry(fields, proxySchema, completed(entry));
}

const flag = (fields: Fields, key: string) => fields.flag(key) || undefined;

const first: readonly Part<Written>[] = [
  field('name', { clash: 'name', singBox: 'tag' }, nameOf),
  field('server', 'server', hostOf),
  field('port', { clash: 'port', singBox: 'server_port' }, (fields, key) =>
    fields.number(key, portSchema),
  ),
];
const last: readonly Part<Written>[] = [
  field('tfo', { clash: 'tfo', singBox: 'tcp_fast_open' }, flag),
  field('mptcp', { clash: 'mptcp', singBox: 'tcp_multi_path' }, flag),
];

/** Reads an entry of Clash or sing-box. */
export function readParts(fields: Fields, type: ProxyType, format: 'clash' | 'singBox'): Written {
  const { parts, others } = protocols[type];
  const read = [...first, ...last, ...parts].map((part) => part[format].read(fields));
  others?.[format]?.(fields);
  return Object.assign({}, ...read);
}

/** Returns an entry of Clash or sing-box, without its type. */
export function writeParts(proxy: ProxyEntry, format: 'clash' | 'singBox'): Written {
  const parts = [...first, ...protocols[proxy.type].parts, ...last];
  // The type of the proxy is that of the protocol.
  return compact(Object.assign({}, ...parts.map((part) => part[format].write(proxy as never))));
}

/** The fields of an entry that have names of servers. */
interface Names {
  readonly server?: string;
  readonly tls?: Written & { readonly 'server-name'?: string };
  readonly transport?: TransportValues;
}

/**
 * Returns an entry with the names that clients derive from others, because they do it differently:
 * the server name of TLS and the host of HTTP/2. REALITY needs a fingerprint.
 */
function completed(entry: Written): Written {
  const { server, tls, transport }: Names = entry;
  const name = tls?.['server-name'] ?? transport?.host ?? transport?.hosts?.[0] ?? server;
  const fingerprint = tls?.fingerprint ?? (tls?.reality ? 'chrome' : undefined);
  const needsHost = transport?.type === 'h2' && transport.hosts?.length === 0;
  return {
    ...entry,
    tls: tls && compact({ ...tls, 'server-name': name, fingerprint }),
    transport: needsHost ? { ...transport, hosts: [name] } : transport,
  };
}
