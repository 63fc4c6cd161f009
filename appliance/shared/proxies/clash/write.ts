import { stringify } from 'yaml';
import { formatNameserver, type ProxySettings } from '../model/settings.ts';
import { compact } from '../protocols/protocol.ts';
import { writeParts } from '../protocols/registry.ts';
import { formatRule } from './rules.ts';

/**
 * Renders settings as a configuration for mihomo, with a TUN interface. All texts are in quotes,
 * because parsers of YAML differ in which plain texts are numbers.
 */
export function renderMihomo(settings: ProxySettings): string {
  const { dns, proxies, rules } = settings;
  const config = {
    port: settings.port,
    'socks-port': settings['socks-port'],
    'allow-lan': settings['allow-lan'],
    mode: settings.mode,
    'log-level': settings['log-level'],
    tun: {
      enable: true,
      stack: 'mixed',
      'auto-route': true,
      'auto-detect-interface': true,
      'strict-route': true,
      ...(dns.enable ? { 'dns-hijack': ['any:53', 'tcp://any:53'] } : {}),
    },
    dns: renderDns(dns),
    proxies: proxies.map((proxy) => {
      const { name, type } = proxy;
      return { name, type, ...writeParts(proxy, 'clash') };
    }),
    'proxy-groups': settings['proxy-groups'],
    rules: rules.map(formatRule),
  };
  return stringify(config, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}

function renderDns(dns: ProxySettings['dns']) {
  const { enable, nameserver } = dns;
  const resolver = dns['default-nameserver'];
  return compact({
    enable,
    nameserver: nameserver.map(formatNameserver),
    'default-nameserver': resolver && [formatNameserver(resolver)],
    // Rules see names of connections from the TUN interface.
    ...(enable ? { 'enhanced-mode': 'fake-ip', 'fake-ip-range': '198.18.0.1/16' } : {}),
  });
}
