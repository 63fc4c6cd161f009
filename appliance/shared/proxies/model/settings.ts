import { z } from 'zod';
import { type ProxyEntry, proxySchema } from '../protocols/registry.ts';
import { because } from '../source/reasons.ts';
import type { Located } from '../source/report.ts';
import { findFaults, type Group, groupSchema, type Rule, ruleSchema } from './groups-and-rules.ts';
import { hostSchema, isAddress, isIpv6, pathSchema, portSchema } from './text.ts';

/** Limits of one import. */
export const limits = { proxies: 5000, groups: 500, rules: 20_000, bytes: 4 << 20 } as const;

export const modes = ['rule', 'global', 'direct'] as const;
export const logLevels = ['silent', 'error', 'warning', 'info', 'debug'] as const;

/** Protocols of DNS servers with their default ports. */
export const dnsPorts = { udp: 53, tcp: 53, tls: 853, https: 443, quic: 853 } as const;

/** A DNS server. SPEC 2.1, `dns.nameserver[]`. */
export const nameserverSchema = z
  .strictObject({
    type: z.enum(['udp', 'tcp', 'tls', 'https', 'quic']),
    server: hostSchema,
    port: portSchema,
    path: pathSchema.optional(),
  })
  .refine(({ type, path }) => (type === 'https') === (path !== undefined), because('https-path'));

export type Nameserver = z.infer<typeof nameserverSchema>;

/** Formats of a DNS server, for hints. */
export const nameserverFormats =
  '1.1.1.1, udp://, tcp://, tls://, quic:// and https://dns.example/dns-query';

/** Parses a DNS server as mihomo writes it; undefined if it is in another format. */
export function parseNameserver(text: string): Nameserver | undefined {
  const full = text.includes('://') ? text : `udp://${isIpv6(text) ? `[${text}]` : text}`;
  const found = /^([a-z]+):\/\/([^/?#@]+)(\/[^#]*)?$/i.exec(full);
  const type = found?.[1]?.toLowerCase() ?? '';
  const authority = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(found?.[2] ?? '');
  if (!Object.hasOwn(dnsPorts, type) || authority === null) return undefined;
  const path = found?.[3] ?? '/';
  const draft = {
    type,
    server: (authority[1] ?? '').replace(/^\[|\]$/g, '').toLowerCase(),
    port: Number(authority[2] ?? dnsPorts[type as keyof typeof dnsPorts]),
    ...(type === 'https' ? { path: path === '/' ? '/dns-query' : path } : {}),
  };
  if (type !== 'https' && path !== '/') return undefined;
  const { success, data } = nameserverSchema.safeParse(draft);
  return success ? data : undefined;
}

/** Formats a DNS server for mihomo. */
export function formatNameserver({ type, server, port, path = '' }: Nameserver): string {
  const host = isIpv6(server) ? `[${server}]` : server;
  const authority = port === dnsPorts[type] ? host : `${host}:${port}`;
  return type === 'udp' ? authority : `${type}://${authority}${path}`;
}

/** Returns whether a DNS server needs no other one to resolve its name. */
export function isDirectNameserver({ server }: Nameserver): boolean {
  return isAddress(server);
}

/** Resolvers of the public internet, for sources without settings of DNS. */
const publicNameservers: readonly Nameserver[] = ['223.5.5.5', '1.1.1.1'].map((server) => ({
  type: 'udp',
  server,
  port: dnsPorts.udp,
}));

const dns = z
  .strictObject({
    enable: z.boolean(),
    nameserver: z.array(nameserverSchema).max(32),
    /** Resolves the names of the other DNS servers; an IP address. */
    'default-nameserver': nameserverSchema.refine(isDirectNameserver).optional(),
  })
  .refine(({ enable, nameserver }) => !enable || nameserver.length > 0, because('no-nameserver'))
  .refine(
    ({ nameserver, 'default-nameserver': resolver }) =>
      resolver || !nameserver[0] || nameserver.some(isDirectNameserver),
    because('no-direct-nameserver'),
  );

const list = <Entry>(entry: z.ZodType<Entry>, name: 'proxies' | 'groups' | 'rules') =>
  z
    .array(entry)
    .min(1)
    .max(limits[name], because(`more-than ${limits[name]} ${name}`));

/**
 * The settings of a proxy client: SPEC 2.1 with its field names. They are what mihomo and sing-box
 * both support, so that each value can be exported to both. Names are unique, and every group and
 * rule refers to an existing one.
 */
export const settingsSchema = z
  .strictObject({
    port: portSchema,
    'socks-port': portSchema,
    'allow-lan': z.boolean(),
    mode: z.enum(modes),
    'log-level': z.enum(logLevels),
    proxies: list(proxySchema, 'proxies'),
    'proxy-groups': list(groupSchema, 'groups'),
    rules: list(ruleSchema, 'rules'),
    dns,
  })
  .check((context) => {
    for (const { path, reason } of findFaults(context.value)) {
      const message = because(reason);
      context.issues.push({ code: 'custom', input: undefined, path: [...path], message });
    }
  });

export type ProxySettings = z.infer<typeof settingsSchema>;

/** Values of SPEC 2.1 for sources that do not set them. */
export const defaults = {
  port: 7890,
  'socks-port': 7891,
  'allow-lan': false,
  mode: 'rule',
  'log-level': 'info',
  dns: { enable: true, nameserver: [...publicNameservers] },
} as const satisfies Partial<ProxySettings>;

/** Adds what clients need to resolve the names of DNS servers. */
export function completeDns(
  enable: boolean,
  nameserver: readonly Nameserver[],
  first: Nameserver | undefined,
): ProxySettings['dns'] {
  const list = enable && nameserver.length === 0 ? defaults.dns.nameserver : nameserver;
  const isResolvable = list.length === 0 || list.some(isDirectNameserver);
  const resolver = first ?? (isResolvable ? undefined : defaults.dns.nameserver[0]);
  return { enable, nameserver: [...list], ...(resolver ? { 'default-nameserver': resolver } : {}) };
}

/** Settings outside of lists. */
export type General = {
  readonly [Key in 'port' | 'socks-port' | 'allow-lan' | 'mode' | 'log-level' | 'dns']?:
    | ProxySettings[Key]
    | undefined;
};

/** What a reader of a format found: valid entries, which may refer to missing ones. */
export interface Parts {
  readonly proxies: readonly Located<ProxyEntry>[];
  readonly groups: readonly Located<Group>[];
  readonly rules: readonly Located<Rule>[];
  readonly general: General;
}
