import {
  isDirectNameserver,
  type Nameserver,
  nameserverFormats,
  parseNameserver,
} from '../model/nameserver.ts';
import { defaults, type Settings } from '../model/settings.ts';
import type { Fields } from '../source/fields.ts';

/** Settings of mihomo that SPEC 2.1 does not have. */
const others = [
  ...['listen', 'ipv6', 'ipv6-timeout', 'enhanced-mode', 'fake-ip-range', 'fake-ip-range6'],
  ...['fake-ip-filter', 'fake-ip-filter-mode', 'fake-ip-ttl', 'use-hosts', 'use-system-hosts'],
  ...['prefer-h3', 'cache-algorithm', 'cache-max-size', 'fallback', 'fallback-filter'],
  ...['nameserver-policy', 'proxy-server-nameserver', 'proxy-server-nameserver-policy'],
  ...['direct-nameserver', 'direct-nameserver-follow-policy', 'respect-rules'],
];

/** Reads `dns` of Clash or mihomo. */
export function clashDns(fields: Fields): Settings['dns'] {
  const dns = fields.section('dns');
  if (dns === undefined) return defaults.dns;
  const enable = dns.flag('enable') ?? false;
  const nameserver = nameservers(dns, 'nameserver');
  const [first, ...rest] = nameservers(dns, 'default-nameserver');
  if (first && !isDirectNameserver(first)) {
    dns.problem('default-nameserver', 'must be an IP address');
  }
  if (rest.length > 0) {
    dns.report.note(
      dns.positionOf('default-nameserver'),
      'default-nameserver: only the first is used',
    );
  }
  dns.leaveOut(others);
  dns.end();
  return completeDns(enable, nameserver, first);
}

/** Adds what clients need to resolve the names of DNS servers. */
export function completeDns(
  enable: boolean,
  nameserver: readonly Nameserver[],
  first: Nameserver | undefined,
): Settings['dns'] {
  const list = enable && nameserver.length === 0 ? defaults.dns.nameserver : nameserver;
  const isResolvable = list.length === 0 || list.some(isDirectNameserver);
  const resolver = first ?? (isResolvable ? undefined : defaults.dns.nameserver[0]);
  return { enable, nameserver: [...list], ...(resolver ? { 'default-nameserver': resolver } : {}) };
}

function nameservers(dns: Fields, key: string): Nameserver[] {
  return (dns.texts(key) ?? []).flatMap((text, index) => {
    const found = parseNameserver(text.trim());
    if (found) return [found];
    const position = dns.positionOfItem(key, index);
    dns.report.problem(position, `${key}: not supported`, `Allowed: ${nameserverFormats}.`);
    return [];
  });
}
