import type { Fields } from '../source/fields.ts';
import { type ProxyEntry, proxySchema } from './proxy.ts';
import { isBuiltIn } from './rule.ts';
import {
  cleanName,
  hostSchema,
  isReserved,
  nameSchema,
  secretSchema,
  sentNameSchema,
} from './text.ts';
import { alpnSchema, fingerprints } from './transport.ts';
import { uuidOf } from './uuid.ts';

/** What readers of every format share: from the fields of an entry to a proxy. */

/** Unvalidated fields of a proxy. Undefined ones are missing. */
export type Draft = Readonly<Record<string, unknown>>;

/** Returns an object without its undefined fields. */
export function compact(draft: Draft): Record<string, unknown> {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}

/** Returns a host in lower case, without brackets and without the dot of a complete name. */
export function plainHost(text: string): string {
  return text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<=[^.])\.$/, '')
    .toLowerCase();
}

/** Reads a host name or an IP address. */
export function hostOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key);
  return text === undefined ? undefined : fields.check(key, hostSchema, plainHost(text));
}

/** Reads a server name of TLS or the host of a header, which need not be a host name. */
export function sentNameOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key);
  return text === undefined
    ? undefined
    : fields.check(key, sentNameSchema, plainHost(text) || undefined);
}

/** Reads the name of an entry. @param key `name` of mihomo, `tag` of sing-box */
export function nameOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key);
  return text === undefined ? undefined : fields.check(key, nameSchema, usableName(text));
}

/** Returns the names of the members of a group as {@link nameOf} reads them. */
export function memberNames(names: readonly string[] | undefined): string[] | undefined {
  return names?.map((name) => (isBuiltIn(name) ? name : usableName(name)));
}

/** Reads the identifier of a user. Clients accept any text, and convert it. */
export function userOf(fields: Fields, key: string): string | undefined {
  const text = fields.valid(key, secretSchema)?.trim();
  if (text === undefined) return undefined;
  const uuid = uuidOf(text);
  if (uuid.replaceAll('-', '') !== text.replaceAll('-', '').toLowerCase()) {
    fields.flaw(key, 'is no UUID: converted as clients do');
  }
  return uuid;
}

/** Reads `flow` of VLESS. The client forwards UDP on port 443 anyway. */
export function flowOf(fields: Fields): string | undefined {
  const text = fields.text('flow');
  const plain = text?.replace(/(?:-udp443)+$/, '');
  if (text === undefined || plain === 'none') return undefined;
  return fields.choice('flow', ['xtls-rprx-vision'], plain);
}

/** Returns the flow, which only works with TLS and without a transport; clients ignore it otherwise. */
export function usedFlow(
  fields: Fields,
  flow: string | undefined,
  stream: Draft,
): string | undefined {
  if (flow === undefined || (stream.tls && !stream.transport)) return flow;
  return fields.flaw('flow', 'needs TLS and no transport');
}

/** Reads a fingerprint of uTLS. Clients use none, or their own, instead of one they do not know. */
export function fingerprintOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key)?.trim().toLowerCase();
  if (text === undefined || text === 'none') return undefined;
  const found = fingerprints.find((each) => each === text);
  return found ?? fields.flaw(key, 'unknown fingerprint', `Allowed: ${fingerprints.join(', ')}.`);
}

/** Returns protocols of ALPN. Those with invalid characters are not sent. */
export function alpnOf(
  fields: Fields,
  key: string,
  names: readonly string[] | undefined,
): string[] | undefined {
  const given = (names ?? []).map((name) => name.trim()).filter(Boolean);
  const valid = given.filter((name) => alpnSchema.safeParse(name).success).slice(0, 8);
  if (valid.length < given.length) fields.flaw(key, 'must be a protocol such as h2');
  return valid.length > 0 ? valid : undefined;
}

/**
 * Returns TLS with its server name. Without one, clients use the host of the transport, or else the
 * server; the exported files always name it.
 */
export function namedTls(tls: Draft, server: unknown, transport: Draft | undefined): Draft {
  const hosts = transport?.hosts;
  const [first] = Array.isArray(hosts) ? hosts : [];
  return compact({
    ...tls,
    'server-name': tls['server-name'] ?? transport?.host ?? first ?? server,
    fingerprint: tls.fingerprint ?? (tls.reality ? 'chrome' : undefined),
  });
}

/** Splits early data off a path: programs of the v2ray family write `/path?ed=2048`. */
export function splitPath(text: string | undefined): { path: string; early: number | undefined } {
  const full = text === undefined || text === '' ? '/' : text;
  const [before = '', ...queries] = full.split('?');
  const parts = queries.join('?').split('&');
  const early = parts.find((part) => part.startsWith('ed='))?.slice(3) ?? '';
  const others = parts.filter((part) => !part.startsWith('ed=')).join('&');
  const rest =
    others === '' && early !== '' ? before : full.includes('?') ? `${before}?${others}` : full;
  const size = /^\d{1,5}/.exec(early)?.[0];
  return {
    path: rest.startsWith('/') ? rest : `/${rest}`,
    early: Math.min(Number(size ?? 0), 65_535) || undefined,
  };
}

/** Returns a name without hidden characters that no program reserves. */
export function usableName(text: string): string {
  const name = cleanName(text);
  return isReserved(name) ? `${name} 2` : name;
}

/** Validates a proxy. Problems are reported at the line of the entry, or of the field. */
export function finishProxy(fields: Fields, draft: Draft): ProxyEntry | undefined {
  const { success, data, error } = proxySchema.safeParse(compact(withHosts(draft)));
  if (success) return data;
  const isServerWrong = error.issues.some(({ path }) => path.join('.') === 'server');
  for (const { path, message } of error.issues) {
    const [key = ''] = path;
    // The name of the server is the default of this field.
    if (isServerWrong && path.join('.') === 'tls.server-name') continue;
    const isMissing = path.length > 0 && valueAt(draft, path) === undefined;
    const position = fields.has(String(key)) ? fields.positionOf(String(key)) : fields.position;
    const text = isMissing ? 'is missing' : message;
    fields.report.problem(position, path.length === 0 ? text : `${path.join('.')}: ${text}`);
  }
  return undefined;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, key) => (inner as Draft | undefined)?.[String(key)], value);
}

/** HTTP/2 needs a host; without one, clients use the name of the server. */
function withHosts(draft: Draft): Draft {
  const transport = draft.transport as Draft | undefined;
  const hosts = transport?.hosts;
  if (transport?.type !== 'h2' || !Array.isArray(hosts) || hosts.length > 0) return draft;
  const tls = draft.tls as Draft | undefined;
  return { ...draft, transport: { ...transport, hosts: [tls?.['server-name'] ?? draft.server] } };
}
