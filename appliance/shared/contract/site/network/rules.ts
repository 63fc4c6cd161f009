import { ipVersion } from '#platform/ip.ts';
import type { FieldProblem } from '../../errors.ts';
import { inBoth, inLanguage, type Text } from '../../text/language.ts';
import type { Site } from '../site.ts';
import { freePort } from '../stack.ts';
import { checkAccess } from './access-rules.ts';
import { parseNameServer } from './dns.ts';
import { checkPublicPorts } from './public-ports.ts';
import { isOnLoopback } from './socks.ts';

/** Ports of Landfall's own proxies on loopback. */
const reserved = new Map<number, Text>([
  [7890, { en: 'the local HTTP proxy', zh: '本机的 HTTP 代理' }],
  [7892, inBoth('redsocks')],
]);

/** Checks the DNS servers, the SOCKS5 server, the public ports and the tunnel of a site and returns all problems. */
export function checkNetwork(site: Partial<Site>): FieldProblem[] {
  return [
    ...checkDns(site),
    ...checkSocksPort(site),
    ...checkSocksClients(site),
    ...checkPublicPorts(site),
    ...checkAccess(site),
  ];
}

/** A user who names a certificate expects encryption. */
function checkDns({ dns }: Partial<Site>): FieldProblem[] {
  const named = dns?.nameserver.find((text) => parseNameServer(text)?.tlsName !== undefined);
  if (named === undefined || dns?.tls) return [];
  return [
    {
      at: ['dns', 'nameserver'],
      message: inLanguage({
        en: `${named} has a name for DNS over TLS, but dns.tls is false`,
        zh: `${named} 有用于 DNS over TLS 的名称，但 dns.tls 没有启用`,
      }),
      hint: inLanguage({
        en: `Set dns.tls to true, or write ${parseNameServer(named)?.address}.`,
        zh: `把 dns.tls 设为 true，或只写 ${parseNameServer(named)?.address}。`,
      }),
    },
  ];
}

function checkSocksPort({ socks, ports, firewall }: Partial<Site>): FieldProblem[] {
  if (!socks) return [];
  const users = new Map(reserved);
  for (const [name, port] of Object.entries(ports ?? {})) {
    users.set(port, inBoth(`ports.${name}`));
  }
  const other = users.get(socks.port);
  const problems = [];
  if (other !== undefined) {
    problems.push({
      at: ['socks', 'port'],
      message: inLanguage({
        en: `socks.port is ${socks.port}, which ${other.en} already uses`,
        zh: `socks.port 是 ${socks.port}，已被 ${other.zh} 占用`,
      }),
      hint: inLanguage({
        en: `Use another port; ${freePort(socks.port, users.keys())} is free.`,
        zh: `换一个端口；${freePort(socks.port, users.keys())} 空闲。`,
      }),
    });
  }
  const opening = `${socks.port}/tcp`;
  if (firewall?.allow.includes(opening)) {
    problems.push({
      at: ['firewall', 'allow'],
      message: inLanguage({
        en: `firewall.allow has ${opening}, the port of the SOCKS5 server`,
        zh: `firewall.allow 中有 ${opening}，它是 SOCKS5 服务的端口`,
      }),
      hint: inLanguage({
        en: 'Remove it: socks.allow opens the port to these networks only.',
        zh: '删除它：socks.allow 只对这些网段开放这个端口。',
      }),
    });
  }
  return problems;
}

function checkSocksClients({ socks }: Partial<Site>): FieldProblem[] {
  if (!socks || isOnLoopback(socks)) return [];
  const version = versionOf(socks.listen);
  if (socks.allow.some((range) => versionOf(range) === version)) return [];
  return [
    {
      at: ['socks', 'allow'],
      message: inLanguage({
        en: `socks.listen is ${socks.listen}, but socks.allow has no IPv${version} network`,
        zh: `socks.listen 是 ${socks.listen}，但 socks.allow 中没有 IPv${version} 网段`,
      }),
      hint: inLanguage({
        en: 'Set the network of your devices, as in allow: [10.8.0.0/24].',
        zh: '设置您的设备所在的网段，例如 allow: [10.8.0.0/24]。',
      }),
    },
  ];
}

function versionOf(range: string): number {
  return ipVersion(range.replace(/\/\d+$/, ''));
}
