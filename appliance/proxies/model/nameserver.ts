import { z } from 'zod';
import { hostSchema, isAddress, isIpv6, pathSchema, portSchema } from './text.ts';

/** Protocols of DNS servers with their default ports. */
const ports = { udp: 53, tcp: 53, tls: 853, https: 443, quic: 853 } as const;

/** A DNS server. SPEC 2.1, `dns.nameserver[]`. */
export const nameserverSchema = z
  .strictObject({
    type: z.enum(['udp', 'tcp', 'tls', 'https', 'quic']),
    server: hostSchema,
    port: portSchema,
    path: pathSchema.optional(),
  })
  .refine(
    ({ type, path }) => (type === 'https') === (path !== undefined),
    'path is for https only',
  );

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
  if (!Object.hasOwn(ports, type) || authority === null) return undefined;
  const path = found?.[3] ?? '/';
  const draft = {
    type,
    server: (authority[1] ?? '').replace(/^\[|\]$/g, '').toLowerCase(),
    port: Number(authority[2] ?? ports[type as keyof typeof ports]),
    ...(type === 'https' ? { path: path === '/' ? '/dns-query' : path } : {}),
  };
  if (type !== 'https' && path !== '/') return undefined;
  const { success, data } = nameserverSchema.safeParse(draft);
  return success ? data : undefined;
}

/** Formats a DNS server for mihomo. */
export function formatNameserver({ type, server, port, path = '' }: Nameserver): string {
  const host = isIpv6(server) ? `[${server}]` : server;
  const authority = port === ports[type] ? host : `${host}:${port}`;
  return type === 'udp' ? authority : `${type}://${authority}${path}`;
}

/** Returns whether a DNS server needs no other one to resolve its name. */
export function isDirectNameserver({ server }: Nameserver): boolean {
  return isAddress(server);
}

/** Resolvers of the public internet, for sources without settings of DNS. */
export const publicNameservers: readonly Nameserver[] = ['223.5.5.5', '1.1.1.1'].map((server) => ({
  type: 'udp',
  server,
  port: ports.udp,
}));
