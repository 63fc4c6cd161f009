import { compact, type Draft } from '../model/draft.ts';
import type { ProxyEntry } from '../model/proxy.ts';
import type { HttpTls, Tls, Transport } from '../model/transport.ts';

/** Returns a proxy as an entry of `proxies` of mihomo. */
export function clashEntry(proxy: ProxyEntry): Draft {
  const { name, type, server, port, tfo, mptcp } = proxy;
  return compact({ name, type, server, port, ...fieldsOf(proxy), tfo, mptcp });
}

function fieldsOf(proxy: ProxyEntry): Draft {
  switch (proxy.type) {
    case 'ss':
      return shadowsocks(proxy);
    case 'vmess': {
      const { uuid, alterId, cipher } = proxy;
      return { uuid, alterId, cipher, ...stream(proxy) };
    }
    case 'vless':
      return { uuid: proxy.uuid, flow: proxy.flow, ...stream(proxy) };
    case 'trojan': {
      const { password, udp, tls, transport } = proxy;
      return { password, udp, ...tlsFields(tls, 'sni'), ...transportFields(transport) };
    }
    case 'anytls':
      return { password: proxy.password, udp: true, ...tlsFields(proxy.tls, 'sni') };
    case 'hysteria': {
      const { auth, obfs, up, down, tls } = proxy;
      const speeds = { up: `${up} Mbps`, down: `${down} Mbps` };
      return { 'auth-str': auth, ...hopping(proxy), obfs, ...speeds, ...tlsFields(tls, 'sni') };
    }
    case 'hysteria2':
      return hysteria2(proxy);
    case 'tuic':
      return {
        uuid: proxy.uuid,
        // mihomo takes the entry for version 4 without a password.
        password: proxy.password ?? '',
        'congestion-controller': proxy.congestion,
        'udp-relay-mode': proxy['udp-relay-mode'],
        ...tlsFields(proxy.tls, 'sni'),
      };
    case 'http': {
      const { username, password, tls } = proxy;
      return { username, password, ...(tls ? { tls: true, ...tlsFields(tls, 'sni') } : {}) };
    }
    case 'socks5': {
      const { username, password, udp } = proxy;
      return { username, password, udp };
    }
  }
}

function shadowsocks(proxy: Extract<ProxyEntry, { type: 'ss' }>): Draft {
  const version = proxy['udp-over-tcp'];
  const { type, ...options } = proxy.plugin ?? { type: undefined };
  const isWebSocket = type === 'v2ray-plugin';
  return {
    cipher: proxy.cipher,
    password: proxy.password,
    udp: proxy.udp,
    ...(version ? { 'udp-over-tcp': true, 'udp-over-tcp-version': version } : {}),
    plugin: type,
    'plugin-opts': type && (isWebSocket ? { mode: 'websocket', ...options } : options),
  };
}

function hysteria2(proxy: Extract<ProxyEntry, { type: 'hysteria2' }>): Draft {
  const { password, obfs, up, down, tls } = proxy;
  return {
    password,
    ...hopping(proxy),
    obfs: obfs?.type,
    'obfs-password': obfs?.password,
    up: up && `${up} Mbps`,
    down: down && `${down} Mbps`,
    ...tlsFields(tls, 'sni'),
  };
}

function hopping(proxy: Extract<ProxyEntry, { type: 'hysteria' | 'hysteria2' }>): Draft {
  return {
    ports: proxy.ports
      ?.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
      .join(','),
    'hop-interval': proxy['hop-interval'],
  };
}

function stream(proxy: Extract<ProxyEntry, { type: 'vmess' | 'vless' }>): Draft {
  const { udp, tls, transport } = proxy;
  return {
    udp,
    'packet-encoding': proxy['packet-encoding'],
    ...(tls ? { tls: true, ...tlsFields(tls, 'servername') } : {}),
    ...transportFields(transport),
  };
}

function tlsFields(tls: HttpTls | Tls, nameKey: string): Draft {
  const { alpn, fingerprint, reality } = {
    alpn: undefined,
    fingerprint: undefined,
    reality: undefined,
    ...tls,
  };
  return {
    [nameKey]: tls['server-name'],
    'skip-cert-verify': tls.insecure,
    alpn,
    'client-fingerprint': fingerprint,
    'reality-opts': reality,
  };
}

function transportFields(transport: Transport | undefined): Draft {
  if (transport === undefined) return {};
  switch (transport.type) {
    case 'ws':
      return {
        network: 'ws',
        'ws-opts': compact({
          path: transport.path,
          headers: transport.host && { Host: transport.host },
          'max-early-data': transport['max-early-data'],
          'early-data-header-name': transport['early-data-header'],
        }),
      };
    case 'httpupgrade': {
      const headers = transport.host && { Host: transport.host };
      const upgrade = { path: transport.path, headers, 'v2ray-http-upgrade': true };
      return { network: 'ws', 'ws-opts': compact(upgrade) };
    }
    case 'grpc':
      return { network: 'grpc', 'grpc-opts': { 'grpc-service-name': transport.service } };
    case 'h2':
      return { network: 'h2', 'h2-opts': { host: transport.hosts, path: transport.path } };
    case 'http': {
      const headers = transport.hosts.length > 0 ? { Host: transport.hosts } : undefined;
      const { method, path } = transport;
      return { network: 'http', 'http-opts': compact({ method, path: [path], headers }) };
    }
  }
}
