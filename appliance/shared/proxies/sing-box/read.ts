import {
  defaultTest,
  type Group,
  groupSchema,
  memberNames,
  type Rule,
} from '../model/groups-and-rules.ts';
import { type General, limits, modes, type Parts, type ProxySettings } from '../model/settings.ts';
import { portSchema, wholeNumber } from '../model/text.ts';
import { compact, nameOf, validEntry } from '../protocols/protocol.ts';
import { readSeconds } from '../protocols/quic.ts';
import {
  type ProxyEntry,
  type ProxyType,
  protocols,
  proxyTypes,
  readEntry,
  readParts,
} from '../protocols/registry.ts';
import { Fields, isMap } from '../source/fields.ts';
import {
  type EntryKind,
  type Located,
  quoted,
  type Report,
  type Source,
} from '../source/report.ts';
import { readDns } from './dns.ts';
import { readRules } from './rules.ts';

/** Types of outbounds that are proxies, with the types of mihomo. */
const outboundTypes: ReadonlyMap<string, ProxyType> = new Map(
  proxyTypes.map((type) => [protocols[type].singBoxType, type]),
);
/** Options that change the way to the server. */
const routingOptions = [
  ...['detour', 'bind_interface', 'inet4_bind_address', 'inet6_bind_address', 'routing_mark'],
  ...['netns', 'network_strategy'],
];
/** Options of connections that mihomo does not have. */
const dialOptions = ['fallback_delay', 'domain_strategy', 'reuse_addr', 'udp_fragment'];

const groupTypes = ['selector', 'urltest'];
// A map: a type may be called `constructor`.
const builtIn = new Map([
  ['direct', 'DIRECT'],
  ['block', 'REJECT'],
]);
const allowedTypes = [...outboundTypes.keys(), ...groupTypes, ...builtIn.keys()];

/** Reads a configuration of sing-box. Each problem is reported with its line. */
export function readSingBox(source: Source, report: Report): Parts {
  const fields = new Fields(report, source, [], isMap(source.value) ? source.value : {});
  const outbounds = fields.sections('outbounds', 'proxy').filter((outbound) => !isGlobal(outbound));
  const names = new Map<string, string>();
  for (const outbound of outbounds) {
    const name = builtIn.get(outbound.text('type') ?? '');
    const tag = outbound.text('tag') ?? '';
    if (name === undefined) continue;
    if (isPlain(outbound)) names.set(tag, name);
  }
  const targetOf = (tag: string) => names.get(tag) ?? tag;
  const typeOf = (outbound: Fields) => String(outbound.raw('type'));
  const proxies = report.list(
    outbounds.filter((outbound) => outboundTypes.has(typeOf(outbound))),
    { kind: 'proxy', max: limits.proxies, name: 'proxies' },
    readProxy,
  );
  const groups = report.list(
    outbounds.filter((outbound) => groupTypes.includes(typeOf(outbound))),
    { kind: 'group', max: limits.groups, name: 'groups' },
    (outbound) => readGroup(outbound, targetOf),
  );
  for (const outbound of outbounds) refuseUnknown(outbound);
  const rules = fields.has('route')
    ? fields.within('route', (route) => readRoute(route, targetOf))
    : [];
  const general = readGeneral(fields);
  fields.leaveOut(['ntp', 'certificate', 'services', '$schema']);
  fields.ignore(['endpoints', 'certificate_providers', 'http_clients']);
  fields.end();
  return { proxies, groups, rules, general };
}

function readRoute(route: Fields, targetOf: (tag: string) => string): Located<Rule>[] {
  const rules = readRules(route, targetOf);
  const final = route.text('final');
  route.leaveOut(['rule_set', 'geoip', 'geosite', 'override_android_vpn', 'find_process']);
  route.leaveOut(['default_interface', 'default_mark', 'default_network_strategy']);
  route.leaveOut(['default_http_client']);
  for (const key of ['auto_detect_interface', 'default_domain_resolver']) route.has(key);
  if (final === undefined || rules.at(-1)?.entry.type === 'MATCH') return rules;
  const entry: Rule = { type: 'MATCH', target: targetOf(final) };
  return [...rules, { entry, position: route.positionOf('final') }];
}

function entryOf<Value>(outbound: Fields, kind: EntryKind, read: () => Value): Value | undefined {
  return outbound.report.entry(kind, read, outbound.text('tag'));
}

/** The selector of the mode `global`, which mihomo has built in. */
function isGlobal(outbound: Fields): boolean {
  return outbound.text('tag') === 'GLOBAL' && outbound.text('type') === 'selector';
}

/** Options that do not change where a direct connection goes. */
const preferences = [
  ...['connect_timeout', 'domain_resolver', 'domain_strategy', 'fallback_delay'],
  ...['udp_fragment', 'tcp_fast_open', 'tcp_multi_path'],
];

/** Returns whether an outbound of type direct or block has no options, and reports those. */
function isPlain(outbound: Fields): boolean {
  const isOk = entryOf(outbound, 'setting', () => {
    outbound.leaveOut(preferences);
    const others = [...dialOptions, ...routingOptions, 'override_address', 'override_port'];
    outbound.refuse(others.filter((key) => !preferences.includes(key)));
    outbound.end(true);
    return true;
  });
  return isOk ?? false;
}

function refuseUnknown(outbound: Fields): void {
  const type = outbound.text('type');
  if (type === 'dns') {
    outbound.report.note(outbound.position, 'outbound-dns');
    return;
  }
  if (type !== undefined && allowedTypes.includes(type)) return;
  entryOf(outbound, 'proxy', () => {
    if (type === undefined) outbound.problem('type', 'missing');
    else outbound.choice('type', allowedTypes, type);
  });
}

/** Reads one proxy of `outbounds`; undefined after a reported problem. */
function readProxy(fields: Fields): ProxyEntry | undefined {
  return entryOf(fields, 'proxy', () => {
    const type = outboundTypes.get(fields.text('type') ?? '');
    if (type === undefined) return undefined;
    return readEntry(fields, type, () => {
      const entry = readParts(fields, type, 'singBox');
      const { server, tls } = entry;
      fields.refuse(routingOptions);
      fields.ignore(dialOptions);
      fields.leaveOut(['connect_timeout', 'domain_resolver']);
      const multiplex = fields.raw('multiplex');
      // Servers also accept connections without it.
      const isOn = isMap(multiplex) && multiplex.enabled === true;
      fields.ignore('multiplex', isOn ? [] : [multiplex]);
      // The host of the transport is not used.
      return isMap(tls)
        ? { ...entry, tls: { ...tls, 'server-name': tls['server-name'] ?? server } }
        : entry;
    });
  });
}

/** Reads a selector or urltest of `outbounds`. `targetOf` maps tags to names. */
function readGroup(fields: Fields, targetOf: (tag: string) => string): Group | undefined {
  return entryOf(fields, 'group', () => {
    const isTest = fields.text('type') === 'urltest';
    const common = {
      name: nameOf(fields, 'tag'),
      type: isTest ? 'url-test' : 'select',
      proxies: memberNames(fields.texts('outbounds')?.map(targetOf)),
    };
    fields.leaveOut(['interrupt_exist_connections', 'idle_timeout']);
    const test = isTest
      ? {
          url: fields.text('url') ?? defaultTest.url,
          interval: readSeconds(fields, 'interval', wholeNumber(1, 86_400)) ?? 180,
          tolerance: fields.number('tolerance', wholeNumber(0, 60_000)) || defaultTest.tolerance,
        }
      : {};
    if (!isTest) fields.leaveOut(['default'], 'first-is-default');
    fields.end();
    return validEntry(fields, groupSchema, { ...common, ...test });
  });
}

/** Reads the ports, the mode, the log level and DNS. Export writes the other settings. */
function readGeneral(fields: Fields): General {
  const inbounds = fields.sections('inbounds');
  const http = inbounds.find((inbound) => inbound.text('type') === 'http');
  const socks = inbounds.find((inbound) => inbound.text('type') === 'socks');
  for (const inbound of inbounds) {
    if (inbound === http || inbound === socks) continue;
    const type = quoted(inbound.text('type') ?? '');
    inbound.report.note(inbound.position, `inbound ${type}`);
  }
  const mode = fields.within('experimental', (experimental) => {
    const found = experimental.within('clash_api', (api) => {
      const name = api.choice('default_mode', modes, api.text('default_mode')?.toLowerCase());
      api.leaveOutRest();
      return name;
    });
    experimental.leaveOutRest();
    return found;
  });
  const listens = [http, socks].flatMap((inbound) => inbound?.text('listen') ?? []);
  const dns = fields.has('dns') ? readDns(fields) : undefined;
  const [port, socksPort] = [http, socks].map((each) => each?.number('listen_port', portSchema));
  if (port !== undefined && port === socksPort) socks?.problem('listen_port', 'must-differ http');
  for (const inbound of [http, socks]) {
    inbound?.text('tag');
    inbound?.leaveOutRest();
  }
  return compact({
    port,
    'socks-port': socksPort,
    'allow-lan':
      listens.length > 0 ? listens.some((address) => !/^(?:127\.|::1$)/.test(address)) : undefined,
    mode,
    'log-level': logLevel(fields),
    dns,
  });
}

/** Log levels of sing-box with those of mihomo. */
const logLevels: Readonly<Record<string, ProxySettings['log-level']>> = {
  ...{ debug: 'debug', info: 'info', warn: 'warning', error: 'error' },
  ...{ trace: 'debug', fatal: 'error', panic: 'error' },
};

function logLevel(fields: Fields): ProxySettings['log-level'] | undefined {
  return fields.within('log', (log) => {
    log.leaveOut(['output', 'timestamp']);
    const isOff = log.flag('disabled') ?? false;
    const level = log.text('level');
    if (isOff) return 'silent';
    return logLevels[log.choice('level', Object.keys(logLevels), level) ?? ''];
  });
}
