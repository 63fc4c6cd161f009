import type { Fields } from '../source/fields.ts';
import { type ProxyEntry, proxySchema } from './proxy.ts';
import { hostSchema } from './text.ts';

/** What readers of every format share: from the fields of an entry to a proxy. */

/** Unvalidated fields of a proxy. Undefined ones are missing. */
export type Draft = Readonly<Record<string, unknown>>;

/** Returns an object without its undefined fields. */
export function compact(draft: Draft): Record<string, unknown> {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}

/** Returns a host in lower case and without brackets. */
export function plainHost(text: string): string {
  return text.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

/** Reads a host name or an IP address. */
export function hostOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key);
  return text === undefined ? undefined : fields.check(key, hostSchema, plainHost(text));
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
  const early = /[?&]ed=(\d{1,5})(?=&|$)/.exec(full)?.[1];
  const rest = full.replace(/([?&])ed=\d{1,5}(&|$)/, (_found, before: string, after: string) =>
    after === '' ? '' : before,
  );
  return { path: rest.startsWith('/') ? rest : `/${rest}`, early: Number(early ?? 0) || undefined };
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
