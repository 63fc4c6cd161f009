import { z } from 'zod';
import { ipVersion, isInRange } from '#platform/ip.ts';

/** The most servers that resolv.conf(5) supports. */
const maxServers = 3;

/** Addresses that are no server, or that mean another host in a container. */
const unusable = [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['224.0.0.0', 3],
  ['::', 127],
  ['ff00::', 8],
] as const;

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const name = `(?=.{1,253}$)(?:${label}\\.)*${label}`;
const serverForm = new RegExp(`^([0-9a-fA-F.:]{2,45})(?:#(${name}))?$`);
const expectation =
  'must be the address of a DNS server, such as 9.9.9.9; with dns.tls, also 9.9.9.9#dns.quad9.net';

/** A DNS server: its address and, for DNS over TLS, the name in its certificate. */
interface NameServer {
  readonly address: string;
  readonly tlsName?: string | undefined;
}

/** Parses a text such as `9.9.9.9` or `9.9.9.9#dns.quad9.net`; undefined for an invalid one. */
export function parseNameServer(text: string): NameServer | undefined {
  const [, address = '', tlsName] = serverForm.exec(text) ?? [];
  return ipVersion(address) === 0 ? undefined : { address, tlsName };
}

/** Returns the addresses of DNS servers, without the names in their certificates. */
export function addressesOf({ nameserver }: { readonly nameserver: readonly string[] }): string[] {
  return nameserver.flatMap((text) => parseNameServer(text)?.address ?? []);
}

const server = z
  .string()
  .max(300)
  .refine((text) => parseNameServer(text) !== undefined, { error: expectation, abort: true })
  .refine(
    (text) => isUsable(parseNameServer(text)?.address ?? ''),
    'must not be a loopback, multicast or reserved address, which containers cannot use',
  );

function isUsable(address: string): boolean {
  return !unusable.some(([first, bits]) => isInRange(address, first, bits));
}

const domain = z
  .string()
  .regex(new RegExp(`^${name}$`), 'must be a domain in lower case, such as corp.example');

/** The DNS servers of a site. SPEC 2.1 (`dns.nameserver`) and 7 ("use public DNS"). */
export const dns = z
  .strictObject({
    nameserver: z
      .array(server)
      .min(1)
      .max(maxServers, `must have ${maxServers} servers at most, as resolv.conf(5)`)
      .refine((texts) => new Set(addressesOf({ nameserver: texts })).size === texts.length, {
        error: 'lists a server twice',
      })
      .describe('Addresses of DNS servers, the preferred one first.'),
    search: z.array(domain).max(6).default([]).describe('Domains that complete short names.'),
    tls: z
      .boolean()
      .default(false)
      .describe('Whether the server encrypts its queries (DNS over TLS). Needs systemd-resolved.'),
  })
  .optional()
  .describe('DNS servers of the server and its containers. Default: those of the network.');

/**
 * The settings of systemd-resolved, for all interfaces. The name sorts after those of other files,
 * because `DNS=` and `Domains=` replace the values of earlier files only.
 */
export const resolvedFile = 'etc/systemd/resolved.conf.d/zz-landfall-dns.conf';

/**
 * Renders the settings of systemd-resolved. `~.` sends all names to these servers; only names in a
 * search domain of an interface go to the servers of that interface. See resolved.conf(5).
 */
export function renderResolved({
  nameserver,
  search,
  tls,
}: NonNullable<z.output<typeof dns>>): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Resolve]
DNS=
DNS=${nameserver.join(' ')}
Domains=
Domains=${['~.', ...search].join(' ')}
DNSOverTLS=${tls ? 'yes' : 'no'}
`;
}
