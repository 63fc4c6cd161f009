import {
  completeDns,
  defaults,
  dnsPorts,
  isDirectNameserver,
  type Nameserver,
  nameserverFormats,
  type ProxySettings,
  parseNameserver,
} from '../model/settings.ts';
import { compact, type Written } from '../protocols/protocol.ts';
import type { Fields } from '../source/fields.ts';

/** The tag of the server for `default-nameserver`, which the reader recognizes. */
const bootstrapTag = 'bootstrap';
const systemTag = 'system';

const others = [
  ...['rules', 'strategy', 'disable_cache', 'disable_expire', 'independent_cache', 'fakeip'],
  ...['cache_capacity', 'reverse_mapping', 'client_subnet'],
];
/** Servers that are not DNS servers on the internet. */
const local = ['local', 'dhcp', 'fakeip', 'hosts', 'resolved', 'tailscale'];

interface Server {
  readonly tag: string | undefined;
  readonly server: Nameserver | undefined;
}

/** Reads `dns` of sing-box, in the format of version 1.12 and in the older one. */
export function readDns(fields: Fields): ProxySettings['dns'] {
  const dns = fields.section('dns');
  if (dns === undefined) return defaults.dns;
  const servers = dns.sections('servers').map(readServer);
  const final = dns.text('final');
  dns.leaveOut(others);
  dns.end();
  const main = servers.find(({ tag }) => tag === final) ?? servers[0];
  const bootstrap = servers.find(({ tag }) => tag === bootstrapTag)?.server;
  const rest = servers.filter((each) => each !== main && each.tag !== bootstrapTag);
  const list = [main, ...rest].flatMap((each) => (each?.server ? [each.server] : []));
  return completeDns(main?.server !== undefined, list, bootstrap);
}

function readServer(fields: Fields): Server {
  const tag = fields.text('tag');
  const type = fields.text('type');
  const address = fields.text('address');
  fields.leaveOut(['detour', 'address_resolver', 'address_strategy', 'strategy', 'client_subnet']);
  fields.leaveOut(['tls', 'prefer_go', 'inet4_range', 'inet6_range', 'interface']);
  fields.leaveOut(['predefined', 'headers']);
  const isLocal =
    local.includes(type ?? '') || /^(?:local|fakeip|dhcp|rcode):?/.test(address ?? '');
  const server = isLocal
    ? undefined
    : (serverOf(fields, type) ?? (address && parseNameserver(address)) ?? undefined);
  fields.has('domain_resolver');
  fields.end();
  if (isLocal && type !== 'local') fields.report.note(fields.position, 'dns-server');
  if (!isLocal && !server)
    fields.report.problem(fields.position, 'not-supported', `allowed ${nameserverFormats}`);
  return { tag, server: server || undefined };
}

function serverOf(fields: Fields, type: string | undefined): Nameserver | undefined {
  const server = fields.text('server');
  const port = fields.text('server_port');
  const path = fields.text('path') ?? '';
  if (type === undefined || server === undefined || !Object.hasOwn(dnsPorts, type))
    return undefined;
  const host = `${server.includes(':') ? `[${server}]` : server}${port ? `:${port}` : ''}`;
  return parseNameserver(`${type}://${host}${type === 'https' ? path : ''}`);
}

/** Returns `dns` of sing-box. */
export function writeDns(dns: ProxySettings['dns']): Written {
  const bootstrap = dns['default-nameserver'];
  const resolver = resolverTag(dns);
  const servers = [
    ...dns.nameserver.map((server, index) =>
      writeServer(server, `nameserver-${index + 1}`, resolver),
    ),
    ...(bootstrap ? [writeServer(bootstrap, bootstrapTag, resolver)] : []),
    { type: 'local', tag: systemTag },
  ];
  return { servers, final: dns.enable ? 'nameserver-1' : systemTag };
}

function writeServer(nameserver: Nameserver, tag: string, resolver: string): Written {
  const { type, server, port, path } = nameserver;
  const isDirect = isDirectNameserver(nameserver);
  return compact({
    ...{ type, tag, server, server_port: port, path },
    domain_resolver: isDirect ? undefined : resolver,
  });
}

/** Returns the tag of the server that resolves the names of proxies and of other DNS servers. */
export function resolverTag(dns: ProxySettings['dns']): string {
  if (dns['default-nameserver']) return bootstrapTag;
  const index = dns.nameserver.findIndex(isDirectNameserver);
  return index === -1 || !dns.enable ? systemTag : `nameserver-${index + 1}`;
}
