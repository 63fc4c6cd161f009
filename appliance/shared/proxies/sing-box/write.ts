import type { Group } from '../model/groups-and-rules.ts';
import type { ProxySettings } from '../model/settings.ts';
import type { Written } from '../protocols/protocol.ts';
import { type ProxyEntry, protocols, writeParts } from '../protocols/registry.ts';
import { resolverTag, writeDns } from './dns.ts';
import { finalOf, writeRules } from './rules.ts';

/** Log levels of mihomo in sing-box; `silent` turns the log off. */
const levels = { debug: 'debug', info: 'info', warning: 'warn', error: 'error' } as const;

/** Renders settings as a configuration for sing-box 1.14, with a TUN interface. */
export function renderSingBox(settings: ProxySettings): string {
  const { dns, proxies, rules } = settings;
  const groups = settings['proxy-groups'];
  const listen = settings['allow-lan'] ? '::' : '127.0.0.1';
  const usesReject = groups.some((group) => group.proxies.includes('REJECT'));
  const level = settings['log-level'];
  const config = {
    log: level === 'silent' ? { disabled: true } : { level: levels[level] },
    dns: writeDns(dns),
    inbounds: [
      {
        ...{ type: 'tun', tag: 'tun-in', address: ['198.19.255.1/30', 'fdfe:dcba:9876::1/126'] },
        ...{ auto_route: true, strict_route: true, stack: 'mixed' },
      },
      { type: 'http', tag: 'http-in', listen, listen_port: settings.port },
      { type: 'socks', tag: 'socks-in', listen, listen_port: settings['socks-port'] },
    ],
    outbounds: [
      ...groups.map(writeGroup),
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
        ...writeRules(rules),
      ],
      final: finalOf(rules),
      auto_detect_interface: true,
      default_domain_resolver: resolverTag(dns),
    },
    experimental: { clash_api: { default_mode: settings.mode } },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

function writeGroup(group: Group): Written {
  const { name: tag, proxies: outbounds } = group;
  if (group.type === 'select') return { type: 'selector', tag, outbounds };
  const { url, interval, tolerance } = group;
  return {
    ...{ type: 'urltest', tag, outbounds, url, tolerance, interval: `${interval}s` },
    // sing-box rejects an interval above this; its default is 30 minutes.
    ...(interval > 1800 ? { idle_timeout: `${interval}s` } : {}),
  };
}

/** Returns a proxy as an entry of `outbounds` of sing-box 1.14. */
export function singBoxOutbound(proxy: ProxyEntry): Written {
  return {
    type: protocols[proxy.type].singBoxType,
    ...writeParts(proxy, 'singBox'),
    // Without it, UDP is forwarded too.
    ...('udp' in proxy && !proxy.udp ? { network: 'tcp' } : {}),
  };
}
