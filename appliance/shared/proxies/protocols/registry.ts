import { z } from 'zod';
import type { Fields } from '../source/fields.ts';
import { anytls } from './anytls.ts';
import { http, login, readLinkLogin, readLogin } from './http.ts';
import { hysteria } from './hysteria.ts';
import { hysteria2 } from './hysteria2.ts';
import { addressOf, type Link } from './link.ts';
import { common, compact, type Protocol, readSingBoxUdp, type Unchecked } from './protocol.ts';
import { ss } from './ss.ts';
import { trojan } from './trojan.ts';
import { tuic } from './tuic.ts';
import { vless } from './vless.ts';
import { vmess } from './vmess.ts';

const schema = z.strictObject({
  type: z.literal('socks5'),
  ...common,
  ...login,
  udp: z.boolean(),
});

function readLink(link: Link) {
  return { ...addressOf(link), ...readLinkLogin(link), udp: true };
}

/** SOCKS5, without TLS: sing-box does not support it. */
const socks5 = {
  schema,
  clash: {
    read: (fields) => {
      fields.refuse('tls');
      for (const key of ['skip-cert-verify', 'sni', 'fingerprint']) fields.ignore(key);
      return { ...readLogin(fields), udp: fields.flag('udp') ?? false };
    },
    write: ({ username, password, udp }) => ({ username, password, udp }),
  },
  singBox: {
    type: 'socks',
    read: (fields) => {
      fields.choice('version', ['5']);
      return { ...readLogin(fields), udp: readSingBoxUdp(fields) };
    },
    write: ({ username, password }) => ({ version: '5', username, password }),
  },
  links: { socks: readLink, socks5: readLink },
} satisfies Protocol<z.infer<typeof schema>>;

/** All protocols by `type` of mihomo. The order is the order in hints. */
const all = { ss, vmess, vless, trojan, anytls, hysteria, hysteria2, tuic, http, socks5 };

const [, ...otherSchemas] = Object.values(all).map(({ schema }) => schema);
const anyProxy = z.discriminatedUnion('type', [ss.schema, ...otherSchemas]);

/** A proxy server. SPEC 2.1, `proxies[]`, with the settings that mihomo and sing-box share. */
export const proxySchema = anyProxy
  .refine(hasTlsIfNeeded, { error: 'h2 needs TLS, and http must not have it', path: ['transport'] })
  .refine((proxy) => !('username' in proxy) || !proxy.password || Boolean(proxy.username), {
    error: 'needs a username',
    path: ['password'],
  });

function hasTlsIfNeeded(proxy: z.infer<typeof anyProxy>): boolean {
  if (!('transport' in proxy)) return true;
  const { tls, transport } = proxy;
  return transport?.type === 'h2' ? tls !== undefined : transport?.type !== 'http' || !tls;
}

export type ProxyEntry = z.infer<typeof proxySchema>;
export type ProxyType = ProxyEntry['type'];
/** A proxy that is not validated yet. */
export type ProxyDraft = Unchecked<ProxyEntry>;

export const protocols: Readonly<Record<ProxyType, Protocol<ProxyEntry>>> = all;

/** Types of proxies, as in `type` of mihomo. */
export const proxyTypes = Object.keys(all) as ProxyType[];

/** Validates a proxy. Problems are reported at the line of the entry, or of the field. */
export function finishProxy(fields: Fields, draft: ProxyDraft): ProxyEntry | undefined {
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
  return path.reduce(
    (inner, key) => (inner as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key],
    value,
  );
}

/** HTTP/2 needs a host; without one, clients use the name of the server. */
function withHosts(draft: ProxyDraft): ProxyDraft {
  const transport = 'transport' in draft ? draft.transport : undefined;
  if (transport?.type !== 'h2' || !('hosts' in transport) || transport.hosts?.length !== 0)
    return draft;
  const name = 'tls' in draft ? draft.tls?.['server-name'] : undefined;
  return { ...draft, transport: { ...transport, hosts: [name ?? draft.server] } };
}
