import type { ProxyEntry } from '../model/proxy.ts';
import type { Group } from '../model/rule.ts';
import { most } from '../model/settings.ts';
import { Fields, isMap } from '../source/fields.ts';
import type { Located, Parts } from '../source/parts.ts';
import type { Report } from '../source/report.ts';
import type { Source } from '../source/source.ts';
import { singBoxGeneral } from './general.ts';
import { singBoxGroup } from './groups.ts';
import { dialOptions, outboundTypes, routingOptions, singBoxProxy } from './read-outbound.ts';
import { singBoxRules } from './rules.ts';

const groupTypes = ['selector', 'urltest'];
const builtIn: Readonly<Record<string, string>> = { direct: 'DIRECT', block: 'REJECT' };
const allowedTypes = [...Object.keys(outboundTypes), ...groupTypes, ...Object.keys(builtIn)];

/** Reads a configuration of sing-box. Each problem is reported with its line. */
export function readSingBox(source: Source, report: Report): Parts {
  const fields = new Fields(report, source, [], isMap(source.value) ? source.value : {});
  const outbounds = fields.sections('outbounds', 'proxy').filter((outbound) => !isGlobal(outbound));
  const names = new Map<string, string>();
  const failed = new Set<string>();
  for (const outbound of outbounds) {
    const name = builtIn[outbound.text('type') ?? ''];
    const tag = outbound.text('tag') ?? '';
    if (name === undefined) continue;
    if (isPlain(outbound)) names.set(tag, name);
    else failed.add(tag);
  }
  const targetOf = (tag: string) => names.get(tag) ?? tag;
  const proxies: Located<ProxyEntry>[] = [];
  const groups: Located<Group>[] = [];
  for (const [index, outbound] of outbounds.entries()) {
    if (!report.strict && proxies.length === most.proxies) {
      const rest = outbounds.length - index;
      report.leaveOut('proxy', rest, outbound.position, `more than ${most.proxies} outbounds`);
      break;
    }
    const type = outbound.text('type') ?? '';
    const { position } = outbound;
    const proxy = isProxy(type) ? singBoxProxy(outbound, type) : undefined;
    const group = groupTypes.includes(type) ? singBoxGroup(outbound, targetOf) : undefined;
    if (proxy) proxies.push({ entry: proxy, position });
    else if (group) groups.push({ entry: group, position });
    else if (isProxy(type) || groupTypes.includes(type)) failed.add(outbound.text('tag') ?? '');
  }
  for (const outbound of outbounds) refuseUnknown(outbound, failed);
  const route = fields.section('route');
  const rules = route ? singBoxRules(route, targetOf) : [];
  const final = route?.text('final');
  if (route && final !== undefined && rules.at(-1)?.entry.type !== 'MATCH') {
    rules.push({
      entry: { type: 'MATCH', target: targetOf(final) },
      position: route.positionOf('final'),
    });
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
  const general = singBoxGeneral(fields);
  fields.leaveOut(['ntp', 'certificate', 'services', '$schema']);
  for (const key of ['endpoints', 'certificate_providers', 'http_clients']) fields.ignore(key);
  fields.end();
  return { proxies, groups, rules, general, failed };
}

function isProxy(type: string): type is keyof typeof outboundTypes {
  return Object.hasOwn(outboundTypes, type);
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
  const isOk = outbound.report.entry('setting', () => {
    outbound.leaveOut(preferences);
    const others = [...dialOptions, ...routingOptions, 'override_address', 'override_port'];
    for (const key of others) if (!preferences.includes(key)) outbound.refuse(key);
    outbound.endExact();
    return true;
  });
  return isOk ?? false;
}

function refuseUnknown(outbound: Fields, failed: Set<string>): void {
  const type = outbound.text('type');
  if (type === 'dns') {
    outbound.report.note(outbound.position, 'outbound dns: not imported');
    return;
  }
  if (type !== undefined && allowedTypes.includes(type)) return;
  failed.add(outbound.text('tag') ?? '');
  outbound.report.entry('proxy', () => {
    if (type === undefined) outbound.problem('type', 'is missing');
    else outbound.choice('type', allowedTypes, type);
  });
}
