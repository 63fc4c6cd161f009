import { ssCipherOf, ssCiphers, vmessCipherOf, vmessCiphers } from '../model/ciphers.ts';
import {
  compact,
  type Draft,
  finishProxy,
  flowOf,
  hostOf,
  namedTls,
  nameOf,
  usedFlow,
  userOf,
} from '../model/draft.ts';
import type { ProxyEntry, ProxyType } from '../model/proxy.ts';
import { portSchema, secretSchema, wholeNumber } from '../model/text.ts';
import { type Fields, isMap } from '../source/fields.ts';
import { parsePluginOptions } from '../source/plugin.ts';
import { singBoxHysteria, singBoxHysteria2, singBoxTuic } from './quic.ts';
import { singBoxTls, singBoxTransport } from './transport.ts';

/** Types of outbounds that are proxies, with the types of mihomo. */
export const outboundTypes = {
  shadowsocks: 'ss',
  vmess: 'vmess',
  vless: 'vless',
  trojan: 'trojan',
  anytls: 'anytls',
  hysteria: 'hysteria',
  hysteria2: 'hysteria2',
  tuic: 'tuic',
  http: 'http',
  socks: 'socks5',
} as const satisfies Readonly<Record<string, ProxyType>>;

/** Options that change the way to the server. */
export const routingOptions = [
  ...['detour', 'bind_interface', 'inet4_bind_address', 'inet6_bind_address', 'routing_mark'],
  ...['netns', 'network_strategy'],
];
/** Options of connections that mihomo does not have. */
export const dialOptions = ['fallback_delay', 'domain_strategy', 'reuse_addr', 'udp_fragment'];

/** Reads one proxy of `outbounds` of sing-box; undefined after a reported problem. */
export function singBoxProxy(
  fields: Fields,
  outbound: keyof typeof outboundTypes,
): ProxyEntry | undefined {
  return fields.report.entry('proxy', () => {
    const draft = fields.report.attempt(() => {
      const server = hostOf(fields, 'server');
      const type = outboundTypes[outbound];
      fields.text('type');
      const read = {
        name: nameOf(fields, 'tag'),
        server,
        port: fields.number('server_port', portSchema),
        tfo: fields.flag('tcp_fast_open') || undefined,
        mptcp: fields.flag('tcp_multi_path') || undefined,
        ...readers[type](fields, server),
        type,
      };
      for (const key of routingOptions) fields.refuse(key);
      for (const key of dialOptions) fields.ignore(key);
      fields.leaveOut(['connect_timeout', 'domain_resolver']);
      ignoreMultiplex(fields);
      fields.end();
      return read;
    });
    return draft && finishProxy(fields, draft);
  });
}

type Reader = (fields: Fields, server: string | undefined) => Draft;

const readers: Readonly<Record<ProxyType, Reader>> = {
  ss: shadowsocks,
  vmess: (fields, server) => {
    for (const key of ['global_padding', 'authenticated_length']) fields.refuse(key);
    return {
      uuid: userOf(fields, 'uuid'),
      alterId: fields.number('alter_id', wholeNumber(0, 65_535)) ?? 0,
      cipher:
        fields.choice('security', vmessCiphers, vmessCipherOf(fields.text('security'))) ?? 'auto',
      'packet-encoding': fields.choice('packet_encoding', ['xudp', 'packetaddr']),
      ...stream(fields, server),
    };
  },
  vless: (fields, server) => {
    const [flow, rest] = [flowOf(fields), stream(fields, server)];
    return {
      uuid: userOf(fields, 'uuid'),
      flow: usedFlow(fields, flow, rest),
      'packet-encoding': fields.choice('packet_encoding', ['xudp', 'packetaddr']),
      ...rest,
    };
  },
  trojan: (fields, server) => ({
    password: fields.valid('password', secretSchema),
    ...stream(fields, server),
  }),
  anytls: (fields, server) => {
    for (const key of ['idle_session_check_interval', 'idle_session_timeout']) fields.ignore(key);
    for (const key of ['min_idle_session', 'tcp_fast_open']) fields.ignore(key);
    const tls = singBoxTls(fields);
    if (tls === undefined) fields.problem('tls', 'must be enabled');
    return {
      tfo: undefined,
      password: fields.valid('password', secretSchema),
      tls: namedTls(tls ?? {}, server, undefined),
    };
  },
  hysteria: singBoxHysteria,
  hysteria2: singBoxHysteria2,
  tuic: singBoxTuic,
  http: (fields, server) => {
    for (const key of ['path', 'headers']) fields.refuse(key);
    const { alpn, ...tls } = singBoxTls(fields) ?? {};
    if (alpn) fields.flaw('tls', 'alpn is not supported for http');
    const isSecure = tls.insecure !== undefined;
    return { ...login(fields), tls: isSecure ? namedTls(tls, server, undefined) : undefined };
  },
  socks5: (fields) => {
    fields.choice('version', ['5']);
    return { ...login(fields), udp: udp(fields) };
  },
};

function shadowsocks(fields: Fields): Draft {
  const method = fields.text('method');
  const plugin = fields.text('plugin');
  const options = fields.text('plugin_opts') ?? '';
  return {
    cipher: method && fields.choice('method', ssCiphers, ssCipherOf(method)),
    password: fields.valid('password', secretSchema),
    udp: udp(fields),
    'udp-over-tcp': udpOverTcp(fields),
    plugin: plugin && parsePluginOptions(fields, 'plugin', plugin, options),
  };
}

function udpOverTcp(fields: Fields): number | undefined {
  const isMap = typeof fields.raw('udp_over_tcp') === 'object';
  if (!isMap) return fields.flag('udp_over_tcp') ? 2 : undefined;
  const inner = fields.section('udp_over_tcp');
  const version = inner?.number('version', wholeNumber(1, 2)) ?? 2;
  const isOn = inner?.flag('enabled') ?? false;
  inner?.end();
  return isOn ? version : undefined;
}

function stream(fields: Fields, server: string | undefined): Draft {
  const tls = singBoxTls(fields);
  const transport = singBoxTransport(fields, tls !== undefined);
  return compact({ udp: udp(fields), tls: tls && namedTls(tls, server, undefined), transport });
}

/** sing-box forwards UDP unless `network` restricts it. */
function udp(fields: Fields): boolean {
  const networks = fields.texts('network') ?? ['tcp', 'udp'];
  if (networks.includes('tcp') && networks.every((name) => name === 'tcp' || name === 'udp')) {
    return networks.includes('udp');
  }
  fields.problem('network', 'unknown value', 'Allowed: tcp, or tcp and udp.');
  return false;
}

/** Multiplexing that is turned off has no effect; servers also accept connections without it. */
function ignoreMultiplex(fields: Fields): void {
  const multiplex = fields.raw('multiplex');
  fields.ignore('multiplex', isMap(multiplex) && multiplex.enabled === true ? [] : [multiplex]);
}

function login(fields: Fields): Draft {
  return {
    username: fields.valid('username', secretSchema),
    password: fields.valid('password', secretSchema),
  };
}
