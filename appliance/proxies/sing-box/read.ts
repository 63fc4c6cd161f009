import { compact } from '../model/draft.ts';
import { modes, type Settings } from '../model/settings.ts';
import { portSchema } from '../model/text.ts';
import { Fields, isMap } from '../source/fields.ts';
import { type General, located, type Parts } from '../source/parts.ts';
import type { Report } from '../source/report.ts';
import type { Source } from '../source/source.ts';
import { singBoxDns } from './dns.ts';
import { singBoxGroup } from './groups.ts';
import { outboundTypes, singBoxProxy } from './read-outbound.ts';
import { singBoxRules } from './rules.ts';
import { levels } from './write.ts';

const groupTypes = ['selector', 'urltest'];
const builtIn: Readonly<Record<string, string>> = { direct: 'DIRECT', block: 'REJECT' };
const allowedTypes = [...Object.keys(outboundTypes), ...groupTypes, ...Object.keys(builtIn)];

/** Reads a configuration of sing-box. Each problem is reported with its line. */
export function readSingBox(source: Source, report: Report): Parts {
  const fields = new Fields(report, source, [], isMap(source.value) ? source.value : {});
  const outbounds = fields.sections('outbounds').filter((outbound) => !isGlobal(outbound));
  const names = new Map<string, string>();
  for (const outbound of outbounds) {
    const name = builtIn[outbound.text('type') ?? ''];
    const tag = outbound.text('tag');
    if (name && tag) names.set(tag, name);
  }
  const targetOf = (tag: string) => names.get(tag) ?? tag;
  const failed = new Set<string>();
  const read = <Entry>(
    isKind: (type: string) => boolean,
    parse: (entry: Fields, type: string) => Entry | undefined,
  ) =>
    located(
      outbounds
        .filter((outbound) => isKind(outbound.text('type') ?? ''))
        .map((outbound) => {
          const entry = parse(outbound, outbound.text('type') ?? '');
          if (entry === undefined) failed.add(outbound.text('tag') ?? '');
          return { entry, line: outbound.line };
        }),
    );
  const proxies = read(isProxy, (outbound, type) =>
    singBoxProxy(outbound, type as keyof typeof outboundTypes),
  );
  const groups = read(
    (type) => groupTypes.includes(type),
    (outbound) => singBoxGroup(outbound, targetOf),
  );
  for (const outbound of outbounds) refuseUnknown(outbound, failed);
  const route = fields.section('route');
  const rules = route ? singBoxRules(route, targetOf) : [];
  const final = route?.text('final');
  if (route && final !== undefined && rules.at(-1)?.entry.type !== 'MATCH') {
    rules.push({ entry: { type: 'MATCH', target: targetOf(final) }, line: route.lineOf('final') });
  }
  route?.leaveOut(['rule_set', 'geoip', 'geosite', 'override_android_vpn', 'find_process']);
  route?.leaveOut([
    'default_interface',
    'default_mark',
    'default_network_strategy',
    'default_http_client',
  ]);
  for (const key of ['auto_detect_interface', 'default_domain_resolver']) route?.has(key);
  route?.end();
  const general = readGeneral(fields);
  fields.leaveOut(['ntp', 'certificate', 'services', '$schema']);
  for (const key of ['endpoints', 'certificate_providers', 'http_clients']) fields.refuse(key);
  fields.end();
  return { proxies, groups, rules, general, failed };
}

function isProxy(type: string): boolean {
  return Object.hasOwn(outboundTypes, type);
}

/** The selector of the mode `global`, which mihomo has built in. */
function isGlobal(outbound: Fields): boolean {
  return outbound.text('tag') === 'GLOBAL';
}

function refuseUnknown(outbound: Fields, failed: Set<string>): void {
  const type = outbound.text('type');
  if (type === 'dns') {
    outbound.report.note(outbound.line, 'outbound dns: not imported');
    return;
  }
  if (type !== undefined && allowedTypes.includes(type)) return;
  failed.add(outbound.text('tag') ?? '');
  if (type === undefined) outbound.problem('type', 'is missing');
  else outbound.choice('type', allowedTypes, type);
}

function readGeneral(fields: Fields): General {
  const inbounds = fields.sections('inbounds');
  const http = inbounds.find((inbound) => inbound.text('type') === 'http');
  const socks = inbounds.find((inbound) => inbound.text('type') === 'socks');
  for (const inbound of inbounds) {
    if (inbound === http || inbound === socks || inbound.text('type') === 'tun') continue;
    inbound.report.note(inbound.line, 'inbound: not imported');
  }
  const experimental = fields.section('experimental');
  const api = experimental?.section('clash_api');
  const listens = [http, socks].flatMap((inbound) => inbound?.text('listen') ?? []);
  const dns = fields.has('dns') ? singBoxDns(fields) : undefined;
  return compact({
    port: http?.number('listen_port', portSchema),
    'socks-port': socks?.number('listen_port', portSchema),
    'allow-lan':
      listens.length > 0 ? listens.some((address) => !/^(?:127\.|::1$)/.test(address)) : undefined,
    mode: api?.choice('default_mode', modes, api.text('default_mode')?.toLowerCase()),
    'log-level': logLevel(fields),
    dns,
  });
}

function logLevel(fields: Fields): Settings['log-level'] | undefined {
  const log = fields.section('log');
  log?.leaveOut(['output', 'timestamp']);
  const isOff = log?.flag('disabled') ?? false;
  const given = log?.text('level');
  log?.end();
  if (isOff) return 'silent';
  const names = { ...levels, trace: 'trace', error: 'error', fatal: 'fatal', panic: 'panic' };
  const found = Object.entries(names).find(([, name]) => name === given)?.[0];
  if (given !== undefined && found === undefined) {
    return log?.problem('level', 'unknown value', `Allowed: ${Object.values(names).join(', ')}.`);
  }
  if (found === 'trace') return 'debug';
  return found === 'fatal' || found === 'panic'
    ? 'error'
    : (found as Settings['log-level'] | undefined);
}
