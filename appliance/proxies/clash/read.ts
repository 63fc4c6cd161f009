import { compact } from '../model/draft.ts';
import { logLevels, modes, most } from '../model/settings.ts';
import { portSchema } from '../model/text.ts';
import { Fields, isMap } from '../source/fields.ts';
import type { General, Parts } from '../source/parts.ts';
import { readEntries } from '../source/read-entries.ts';
import type { Report } from '../source/report.ts';
import type { Source } from '../source/source.ts';
import { clashDns } from './dns.ts';
import { clashGroup } from './groups.ts';
import { clashProxy } from './proxy.ts';
import { clashRules } from './rules.ts';

/** Settings of the program that wrote the file. Export writes its own. */
const local = [
  ...['mixed-port', 'redir-port', 'tproxy-port', 'bind-address', 'authentication', 'ipv6'],
  ...['skip-auth-prefixes', 'lan-allowed-ips', 'lan-disallowed-ips', 'interface-name'],
  ...['external-controller', 'external-controller-tls', 'external-controller-cors', 'secret'],
  ...['external-controller-unix', 'external-controller-pipe', 'external-doh-server'],
  ...['external-ui', 'external-ui-url', 'external-ui-name', 'routing-mark', 'tun', 'iptables'],
  ...['ebpf', 'auto-redir'],
  ...['profile', 'experimental', 'unified-delay', 'tcp-concurrent', 'find-process-mode'],
  ...['geodata-mode', 'geodata-loader', 'geosite-matcher', 'geo-auto-update', 'geox-url'],
  ...['geo-update-interval', 'global-ua', 'etag-support', 'keep-alive-interval', 'sniffer'],
  ...['keep-alive-idle', 'disable-keep-alive', 'inbound-tfo', 'inbound-mptcp', 'ntp', 'tls'],
  ...[
    'clash-for-android',
    'cfw-bypass',
    'cfw-latency-timeout',
    'cfw-latency-url',
    'cfw-conn-break-strategy',
  ],
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
  const failed = new Set<string>();
  const named =
    <Entry>(parse: (entry: Fields) => Entry | undefined) =>
    (inner: Fields): Entry | undefined => {
      const entry = parse(inner);
      const name = inner.raw('name');
      if (entry === undefined && typeof name === 'string') failed.add(name);
      return entry;
    };
  const [proxy, group] = [
    { kind: 'proxy', most: most.proxies },
    { kind: 'group', most: most.groups },
  ] as const;
  const proxies = readEntries(fields, 'proxies', proxy, named(clashProxy));
  const groups = readEntries(fields, 'proxy-groups', group, named(clashGroup));
  const rules = clashRules(fields);
  fields.leaveOut(local);
  for (const key of others) fields.ignore(key);
  fields.end();
  return { proxies, groups, rules, general, failed };
}

function readGeneral(fields: Fields): General {
  const [port, socksPort] = ['port', 'socks-port'].map((key) => fields.number(key, portSchema));
  if (port !== undefined && port === socksPort)
    fields.problem('socks-port', 'must differ from port');
  return compact({
    port,
    'socks-port': socksPort,
    'allow-lan': fields.flag('allow-lan'),
    mode: fields.choice('mode', modes, fields.text('mode')?.toLowerCase()),
    'log-level': fields.choice('log-level', logLevels, fields.text('log-level')?.toLowerCase()),
    dns: fields.has('dns') ? clashDns(fields) : undefined,
  });
}
