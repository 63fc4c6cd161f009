import { compact, type Draft } from '../model/draft.ts';
import type { ProxyEntry } from '../model/proxy.ts';
import type { HttpTls, Tls, Transport } from '../model/transport.ts';
import { escapedOption } from '../source/plugin.ts';

/** Returns a proxy as an entry of `outbounds` of sing-box 1.14. */
export function singBoxOutbound(proxy: ProxyEntry): Draft {
  const { name, server, port, tfo, mptcp } = proxy;
  const address = { server, server_port: port };
  return compact({
    type: proxy.type === 'ss' ? 'shadowsocks' : proxy.type === 'socks5' ? 'socks' : proxy.type,
    tag: name,
    ...address,
    ...fieldsOf(proxy),
    // Without it, UDP is forwarded too.
    network: 'udp' in proxy && !proxy.udp ? 'tcp' : undefined,
    tcp_fast_open: tfo,
    tcp_multi_path: mptcp,
  });
}

function fieldsOf(proxy: ProxyEntry): Draft {
  switch (proxy.type) {
    case 'ss':
      return shadowsocks(proxy);
    case 'vmess':
      return {
        uuid: proxy.uuid,
        security: proxy.cipher,
        alter_id: proxy.alterId,
        ...stream(proxy),
      };
    case 'vless':
      return { uuid: proxy.uuid, flow: proxy.flow, ...stream(proxy) };
    case 'trojan':
      return { password: proxy.password, ...stream(proxy) };
    case 'anytls':
      return { password: proxy.password, tls: tlsFields(proxy.tls) };
    case 'hysteria': {
      const { auth, obfs, up, down, tls } = proxy;
      const speeds = { up_mbps: up, down_mbps: down };
      return { auth_str: auth, ...hopping(proxy), obfs, ...speeds, tls: tlsFields(tls) };
    }
    case 'hysteria2':
      return hysteria2(proxy);
    case 'tuic':
      return {
        uuid: proxy.uuid,
        password: proxy.password,
        congestion_control: proxy.congestion,
        udp_relay_mode: proxy['udp-relay-mode'],
        tls: tlsFields(proxy.tls),
      };
    case 'http': {
      const { username, password, tls } = proxy;
      return { username, password, tls: tls && tlsFields(tls) };
    }
    case 'socks5':
      return { version: '5', username: proxy.username, password: proxy.password };
  }
}

function shadowsocks(proxy: Extract<ProxyEntry, { type: 'ss' }>): Draft {
  const { cipher, password, plugin } = proxy;
  const version = proxy['udp-over-tcp'];
  return {
    method: cipher,
    password,
    plugin: plugin?.type === 'obfs' ? 'obfs-local' : plugin?.type,
    plugin_opts: plugin && pluginOptions(plugin),
    udp_over_tcp: version && { enabled: true, version },
  };
}

/** Returns the options of a plugin as SIP003 has them. */
function pluginOptions(plugin: NonNullable<Extract<ProxyEntry, { type: 'ss' }>['plugin']>): string {
  const host = escapedOption(plugin.host);
  if (plugin.type === 'obfs') return `obfs=${plugin.mode};obfs-host=${host}`;
  const tls = plugin.tls ? ';tls' : '';
  const path = escapedOption(plugin.path);
  return `mode=websocket${tls};host=${host};path=${path};mux=${plugin.mux ? 1 : 0}`;
}

function hysteria2(proxy: Extract<ProxyEntry, { type: 'hysteria2' }>): Draft {
  const { password, obfs, up, down, tls } = proxy;
  return {
    password,
    ...hopping(proxy),
    obfs,
    up_mbps: up,
    down_mbps: down,
    tls: tlsFields(tls),
  };
}

function hopping(proxy: Extract<ProxyEntry, { type: 'hysteria' | 'hysteria2' }>): Draft {
  const { ports } = proxy;
  const interval = proxy['hop-interval'];
  return {
    // sing-box accepts one of the two.
    ...(ports ? { server_port: undefined } : {}),
    server_ports: ports?.map(([first, last]) => `${first}:${last}`),
    hop_interval: interval && `${interval}s`,
  };
}

function stream(proxy: Extract<ProxyEntry, { type: 'vmess' | 'vless' | 'trojan' }>): Draft {
  const { tls, transport } = proxy;
  const encoding = 'packet-encoding' in proxy ? proxy['packet-encoding'] : undefined;
  return {
    packet_encoding: encoding,
    tls: tls && tlsFields(tls),
    transport: transport && transportFields(transport),
  };
}

function tlsFields(tls: HttpTls | Tls): Draft {
  const all = { alpn: undefined, fingerprint: undefined, reality: undefined, ...tls };
  const { alpn, fingerprint, reality } = all;
  return compact({
    enabled: true,
    server_name: tls['server-name'],
    insecure: tls.insecure,
    alpn,
    utls: fingerprint && { enabled: true, fingerprint },
    reality:
      reality &&
      compact({
        enabled: true,
        public_key: reality['public-key'],
        short_id: reality['short-id'],
      }),
  });
}

function transportFields(transport: Transport): Draft {
  switch (transport.type) {
    case 'ws':
      return compact({
        type: 'ws',
        path: transport.path,
        headers: transport.host && { Host: transport.host },
        max_early_data: transport['max-early-data'],
        early_data_header_name: transport['early-data-header'],
      });
    case 'httpupgrade':
      return compact({ type: 'httpupgrade', host: transport.host, path: transport.path });
    case 'grpc':
      return { type: 'grpc', service_name: transport.service };
    case 'h2':
      return { type: 'http', host: transport.hosts, path: transport.path };
    case 'http': {
      const { hosts, method, path } = transport;
      return compact({ type: 'http', host: hosts.length > 0 ? hosts : undefined, method, path });
    }
  }
}
