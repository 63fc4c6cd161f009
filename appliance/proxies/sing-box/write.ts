import { compact, type Draft } from '../model/draft.ts';
import { isDirectNameserver, type Nameserver } from '../model/nameserver.ts';
import type { Group, Rule } from '../model/rule.ts';
import type { Settings } from '../model/settings.ts';
import { singBoxOutbound } from './write-outbound.ts';

/** The tag of the server for `default-nameserver`, which the reader recognizes. */
export const bootstrapTag = 'bootstrap';
const systemTag = 'system';

/** Log levels of mihomo in sing-box; `silent` turns the log off. */
export const levels = { debug: 'debug', info: 'info', warning: 'warn', error: 'error' } as const;

/** Renders settings as a configuration for sing-box 1.14, with a TUN interface. */
export function renderSingBox(settings: Settings): string {
  const { dns, proxies, rules } = settings;
  const groups = settings['proxy-groups'];
  const listen = settings['allow-lan'] ? '::' : '127.0.0.1';
  const usesReject = groups.some((group) => group.proxies.includes('REJECT'));
  const level = settings['log-level'];
  const config = {
    log: level === 'silent' ? { disabled: true } : { level: levels[level] },
    dns: renderDns(dns),
    inbounds: [
      {
        ...{ type: 'tun', tag: 'tun-in', address: ['198.19.255.1/30', 'fdfe:dcba:9876::1/126'] },
        ...{ auto_route: true, strict_route: true, stack: 'mixed' },
      },
      { type: 'http', tag: 'http-in', listen, listen_port: settings.port },
      { type: 'socks', tag: 'socks-in', listen, listen_port: settings['socks-port'] },
    ],
    outbounds: [
      ...groups.map(renderGroup),
      {
        type: 'selector',
        tag: 'GLOBAL',
        outbounds: [...groups, ...proxies].map(({ name }) => name),
      },
      ...proxies.map(singBoxOutbound),
      { type: 'direct', tag: 'DIRECT' },
      ...(usesReject ? [{ type: 'block', tag: 'REJECT' }] : []),
    ],
    route: {
      rules: [
        { action: 'sniff' },
        ...(dns.enable ? [{ protocol: 'dns', action: 'hijack-dns' }] : []),
        { clash_mode: 'direct', action: 'route', outbound: 'DIRECT' },
        { clash_mode: 'global', action: 'route', outbound: 'GLOBAL' },
        ...renderRules(rules),
      ],
      final: finalOf(rules),
      auto_detect_interface: true,
      default_domain_resolver: resolverTag(dns),
    },
    experimental: { clash_api: { default_mode: settings.mode } },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

function renderGroup(group: Group): Draft {
  const { name: tag, proxies: outbounds } = group;
  if (group.type === 'select') return { type: 'selector', tag, outbounds };
  const { url, interval, tolerance } = group;
  return {
    ...{ type: 'urltest', tag, outbounds, url, tolerance, interval: `${interval}s` },
    // sing-box rejects an interval above this; its default is 30 minutes.
    ...(interval > 1800 ? { idle_timeout: `${interval}s` } : {}),
  };
}

/** Names are resolved before the first rule that compares their address. */
function renderRules(rules: readonly Rule[]): Draft[] {
  const first = rules.findIndex((rule) => 'resolve' in rule && rule.resolve);
  return rules.flatMap((rule, index) => {
    if (rule.type === 'MATCH')
      return rule.target === 'REJECT' ? [{ ...everything, action: 'reject' }] : [];
    const { target } = rule;
    const action =
      target === 'REJECT' ? { action: 'reject' } : { action: 'route', outbound: target };
    const rendered = { ...condition(rule), ...action };
    return index === first ? [{ action: 'resolve' }, rendered] : [rendered];
  });
}

const everything = { network: ['tcp', 'udp'] };

function condition(rule: Exclude<Rule, { type: 'MATCH' }>): Draft {
  switch (rule.type) {
    case 'GEOIP':
      return { ip_is_private: true };
    case 'DST-PORT':
      return { port: [rule.value] };
    case 'SRC-PORT':
      return { source_port: [rule.value] };
    default:
      return { [conditionKeys[rule.type]]: [rule.value] };
  }
}

/** Keys of rules in sing-box with the types of mihomo. */
export const conditionKeys = {
  DOMAIN: 'domain',
  'DOMAIN-SUFFIX': 'domain_suffix',
  'DOMAIN-KEYWORD': 'domain_keyword',
  'IP-CIDR': 'ip_cidr',
  'SRC-IP-CIDR': 'source_ip_cidr',
  'PROCESS-NAME': 'process_name',
  NETWORK: 'network',
} as const;

function finalOf(rules: readonly Rule[]): string {
  const target = rules.at(-1)?.target ?? 'DIRECT';
  return target === 'REJECT' ? 'DIRECT' : target;
}

function renderDns(dns: Settings['dns']) {
  const bootstrap = dns['default-nameserver'];
  const resolver = resolverTag(dns);
  const servers = [
    ...dns.nameserver.map((server, index) =>
      renderServer(server, `nameserver-${index + 1}`, resolver),
    ),
    ...(bootstrap ? [renderServer(bootstrap, bootstrapTag, resolver)] : []),
    { type: 'local', tag: systemTag },
  ];
  return { servers, final: dns.enable ? 'nameserver-1' : systemTag };
}

function renderServer(given: Nameserver, tag: string, resolver: string): Draft {
  const { type, server, port, path } = given;
  const isDirect = isDirectNameserver(given);
  return compact({
    ...{ type, tag, server, server_port: port, path },
    domain_resolver: isDirect ? undefined : resolver,
  });
}

/** Returns the tag of the server that resolves the names of proxies and of other DNS servers. */
function resolverTag(dns: Settings['dns']): string {
  if (dns['default-nameserver']) return bootstrapTag;
  const index = dns.nameserver.findIndex(isDirectNameserver);
  return index === -1 || !dns.enable ? systemTag : `nameserver-${index + 1}`;
}
