import { defaultTest, type Group, groupSchema, memberNames } from '../model/groups-and-rules.ts';
import {
  completeDns,
  defaults,
  type General,
  isDirectNameserver,
  limits,
  logLevels,
  modes,
  type Nameserver,
  nameserverFormats,
  type Parts,
  type ProxySettings,
  parseNameserver,
} from '../model/settings.ts';
import { portSchema, wholeNumber } from '../model/text.ts';
import { compact, nameOf, validEntry } from '../protocols/protocol.ts';
import { type ProxyEntry, proxyTypes, readEntry, readParts } from '../protocols/registry.ts';
import { Fields, isMap } from '../source/fields.ts';
import type { Report, Source } from '../source/report.ts';
import { clashRules } from './rules.ts';

/** Settings of the program that wrote the file. Export writes its own. */
const local = [
  ...['mixed-port', 'redir-port', 'tproxy-port', 'bind-address', 'authentication', 'ipv6'],
  ...['skip-auth-prefixes', 'lan-allowed-ips', 'lan-disallowed-ips', 'interface-name'],
  ...['external-controller', 'external-controller-tls', 'external-controller-cors', 'secret'],
  ...['external-controller-unix', 'external-controller-pipe', 'external-doh-server'],
  ...['external-ui', 'external-ui-url', 'external-ui-name', 'routing-mark', 'tun', 'iptables'],
  ...['profile', 'experimental', 'unified-delay', 'tcp-concurrent', 'find-process-mode'],
  ...['geodata-mode', 'geodata-loader', 'geosite-matcher', 'geo-auto-update', 'geox-url'],
  ...['geo-update-interval', 'global-ua', 'etag-support', 'keep-alive-interval', 'sniffer'],
  ...['keep-alive-idle', 'disable-keep-alive', 'inbound-tfo', 'inbound-mptcp', 'ntp', 'tls'],
  ...['clash-for-android', 'cfw-bypass', 'cfw-latency-timeout', 'cfw-latency-url'],
  ...['cfw-conn-break-strategy', 'ebpf', 'auto-redir'],
];

/** Settings that would change where traffic goes. */
const others = [
  ...['proxy-providers', 'rule-providers', 'sub-rules', 'listeners', 'tunnels', 'hosts'],
  ...['global-client-fingerprint', 'script'],
];

/** Reads a configuration of Clash or mihomo. Each problem is reported with its line. */
export function readClash(source: Source, report: Report): Parts {
  const value = isMap(source.value) ? source.value : {};
  const fields = new Fields(report, source, [], value);
  const general = readGeneral(fields);
  const list = <Entry>(
    name: 'proxies' | 'proxy-groups',
    kind: 'proxy' | 'group',
    read: (entry: Fields) => Entry | undefined,
  ) => {
    const max = kind === 'proxy' ? limits.proxies : limits.groups;
    return report.list(fields.sections(name, kind), { kind, max, name }, (entry) => {
      const id = entry.raw('name');
      return report.entry(kind, () => read(entry), typeof id === 'string' ? id : undefined);
    });
  };
  const proxies = list('proxies', 'proxy', readProxy);
  const groups = list('proxy-groups', 'group', readGroup);
  const rules = clashRules(fields);
  fields.leaveOut(local);
  fields.ignore(others);
  fields.end();
  return { proxies, groups, rules, general };
}

function readGeneral(fields: Fields): General {
  const [port, socksPort] = ['port', 'socks-port'].map((key) => fields.number(key, portSchema));
  if (port !== undefined && port === socksPort) fields.problem('socks-port', 'must-differ port');
  return compact({
    port,
    'socks-port': socksPort,
    'allow-lan': fields.flag('allow-lan'),
    mode: fields.choice('mode', modes, fields.text('mode')?.toLowerCase()),
    'log-level': fields.choice('log-level', logLevels, fields.text('log-level')?.toLowerCase()),
    dns: fields.has('dns') ? readDns(fields) : undefined,
  });
}

/** Options that change the way to the server. */
const routing = ['interface-name', 'routing-mark', 'dialer-proxy'];

/** Reads one entry of `proxies`; undefined after a reported problem. */
function readProxy(fields: Fields): ProxyEntry | undefined {
  const text = fields.text('type');
  const type = fields.choice('type', proxyTypes, text === 'hy2' ? 'hysteria2' : text);
  if (type === undefined) {
    if (text === undefined) fields.problem('type', 'missing');
    return undefined;
  }
  return readEntry(fields, type, () => {
    const entry = readParts(fields, type, 'clash');
    fields.refuse(routing);
    fields.ignore('ip-version', ['dual']);
    const smux = fields.raw('smux');
    // Multiplexing that is turned off has no effect.
    fields.ignore('smux', isMap(smux) && /^true$/i.test(String(smux.enabled)) ? [] : [smux]);
    return entry;
  });
}

const groupTypes = ['select', 'url-test'] as const;

/** Keys that change how a group is shown or tested, but not where traffic goes. */
const displayKeys = ['icon', 'hidden', 'lazy', 'timeout', 'max-failed-times', 'expected-status'];
const testKeys = ['url', 'interval', 'tolerance'];
const unsupportedInGroups = [
  ...['use', 'filter', 'exclude-filter', 'exclude-type', 'include-all', 'include-all-proxies'],
  ...['include-all-providers', 'disable-udp', 'interface-name', 'routing-mark', 'strategy'],
];

/** Reads one entry of `proxy-groups`; undefined after a reported problem. */
function readGroup(fields: Fields): Group | undefined {
  const type = fields.choice('type', groupTypes);
  if (type === undefined) {
    if (!fields.has('type')) fields.problem('type', 'missing');
    return undefined;
  }
  const common = {
    name: nameOf(fields, 'name'),
    type,
    proxies: memberNames(fields.texts('proxies')),
  };
  fields.ignore(unsupportedInGroups);
  fields.leaveOut(displayKeys);
  if (type === 'select') fields.leaveOut(testKeys, 'no-effect-on-select');
  const draft = type === 'select' ? common : { ...common, ...readTest(fields) };
  fields.end();
  return validEntry(fields, groupSchema, draft);
}

function readTest(fields: Fields) {
  return {
    url: fields.text('url') ?? defaultTest.url,
    interval: fields.number('interval', wholeNumber(1, 86_400)) ?? defaultTest.interval,
    // sing-box treats 0 as its default.
    tolerance: Math.max(
      1,
      fields.number('tolerance', wholeNumber(0, 60_000)) ?? defaultTest.tolerance,
    ),
  };
}

/** Settings of mihomo that SPEC 2.1 does not have. */
const otherDnsSettings = [
  ...['listen', 'ipv6', 'ipv6-timeout', 'enhanced-mode', 'fake-ip-range', 'fake-ip-range6'],
  ...['fake-ip-filter', 'fake-ip-filter-mode', 'fake-ip-ttl', 'use-hosts', 'use-system-hosts'],
  ...['prefer-h3', 'cache-algorithm', 'cache-max-size', 'fallback', 'fallback-filter'],
  ...['nameserver-policy', 'proxy-server-nameserver', 'proxy-server-nameserver-policy'],
  ...['direct-nameserver', 'direct-nameserver-follow-policy', 'respect-rules'],
];

/** Reads `dns`. */
function readDns(fields: Fields): ProxySettings['dns'] {
  const dns = fields.section('dns');
  if (dns === undefined) return defaults.dns;
  const enable = dns.flag('enable') ?? false;
  const nameserver = nameservers(dns, 'nameserver');
  const [first, ...rest] = nameservers(dns, 'default-nameserver');
  if (first && !isDirectNameserver(first)) {
    dns.problem('default-nameserver', 'no-address');
  }
  if (rest.length > 0) {
    const position = dns.positionOf('default-nameserver');
    dns.report.note(position, { at: 'default-nameserver', reason: 'only-first' });
  }
  dns.leaveOut(otherDnsSettings);
  dns.end();
  return completeDns(enable, nameserver, first);
}

function nameservers(dns: Fields, key: string): Nameserver[] {
  return (dns.texts(key) ?? []).flatMap((text, index) => {
    const found = parseNameserver(text.trim());
    if (found) return [found];
    const position = dns.positionOf(key, index);
    const reason = 'not-supported';
    dns.report.problem(position, { at: key, reason }, `allowed ${nameserverFormats}`);
    return [];
  });
}
