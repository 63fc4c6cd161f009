import { randomUUID } from 'node:crypto';
import type { Addresses } from '../../host/network/network.ts';
import { decoy } from '../../host/sealed/overseas.ts';
import type { Surroundings } from '../../host/sealed/sealed-premises.ts';
import { output, proxyMachine } from './proxy-machine.ts';

/** The types of proxies whose servers Debian has. */
export const proxyTypes = ['shadowsocks', 'vmess', 'trojan'] as const;
export type ProxyType = (typeof proxyTypes)[number];

/** Made up for the tests. */
export const proxyPassword = 'correct-horse-battery';
const uuid = randomUUID();

interface ProxyServer {
  readonly packageName: string;
  /** Settings of the server in JSON. */
  readonly settings: object;
  /** Starts the server with its settings, /root/proxy.json. It logs to /var/log/proxy.log. */
  readonly start: string;
  /** Name of its process. */
  readonly process: string;
  /** Returns the link for a client. */
  link(address: string): string;
}

const base64 = (text: string) => Buffer.from(text).toString('base64url');

const servers: Readonly<Record<ProxyType, ProxyServer>> = {
  shadowsocks: {
    packageName: 'shadowsocks-libev',
    settings: {
      ...{ server: '0.0.0.0', server_port: 8388, password: proxyPassword, timeout: 600 },
      method: 'chacha20-ietf-poly1305',
    },
    start: 'setsid ss-server -v -c /root/proxy.json >/var/log/proxy.log 2>&1 &',
    process: 'ss-server',
    link: (address) =>
      `ss://${base64(`chacha20-ietf-poly1305:${proxyPassword}`)}@${address}:8388#Debian%20ss`,
  },
  vmess: {
    packageName: 'v2ray',
    settings: {
      log: { access: '/var/log/proxy.log', loglevel: 'warning' },
      inbounds: [
        { port: 10086, protocol: 'vmess', settings: { clients: [{ id: uuid, alterId: 0 }] } },
      ],
      outbounds: [{ protocol: 'freedom', settings: { domainStrategy: 'UseIP' } }],
    },
    start: 'setsid v2ray -config /root/proxy.json >/dev/null 2>&1 &',
    process: 'v2ray',
    link: (address) =>
      `vmess://${Buffer.from(
        JSON.stringify({
          ...{ v: '2', ps: 'Debian v2ray', add: address, port: '10086', id: uuid, aid: '0' },
          ...{ scy: 'auto', net: 'tcp', type: 'none', host: '', path: '', tls: '' },
        }),
      ).toString('base64')}`,
  },
  trojan: {
    packageName: 'trojan',
    settings: {
      ...{ run_type: 'server', local_addr: '0.0.0.0', local_port: 443 },
      ...{ remote_addr: '127.0.0.1', remote_port: 80, password: [proxyPassword], log_level: 1 },
      ssl: { cert: '/root/cert.pem', key: '/root/key.pem', alpn: ['http/1.1'] },
    },
    start: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 \
        -subj /CN=proxy.example.net -keyout /root/key.pem -out /root/cert.pem 2>/dev/null &&
      setsid trojan -c /root/proxy.json >/var/log/proxy.log 2>&1 &`,
    process: 'trojan',
    link: (address) =>
      `trojan://${proxyPassword}@${address}:443?sni=proxy.example.net&allowInsecure=1#Debian%20trojan`,
  },
};

/** A proxy server of Debian on a machine of its own. */
export interface ProxyWay {
  readonly machine: Addresses;
  /** The link for `landfall route import`. */
  readonly link: string;
  /** Returns what the server logged, one request per line. */
  log(): Promise<readonly string[]>;
  /** Kills the server, so that connections to it are refused. */
  kill(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
}

/** The public name server that a client asks through its proxy. */
const publicResolver = '1.1.1.1';

/** The decoy of the name server leads a proxy to the hosts of the internet, as a real address would. */
function decoyRules({ overseas }: Surroundings): string {
  const [address] = Object.values(overseas.names);
  return `table ip decoy {
  chain output {
    type nat hook output priority -100
    ip daddr ${decoy.v4} dnat to ${address}
    ip daddr ${publicResolver} tcp dport 53 dnat to ${address}
  }
}`;
}

/** Opens a way out over one type of proxy. */
export async function throughProxyServer(
  type: ProxyType,
  surroundings: Surroundings,
): Promise<ProxyWay> {
  const { packageName, settings, start, process, link } = servers[type];
  const machine = await proxyMachine(surroundings, packageName, 'nftables');
  await output(machine, 'nft --file -', decoyRules(surroundings));
  await output(machine, 'cat >/root/proxy.json', JSON.stringify(settings));
  // The service of the package may have started.
  await output(machine, `pkill -x ${process} || true; touch /var/log/proxy.log; ${start}`);
  return {
    machine: machine.addresses,
    link: link(machine.addresses.v4),
    log: async () => (await output(machine, 'cat /var/log/proxy.log')).split('\n'),
    kill: async () => void (await output(machine, `pkill -9 -x ${process}`)),
    start: async () => void (await output(machine, start)),
  };
}
