import { ipVersion } from '#platform/ip.ts';
import { freePort } from '../free-port.ts';
import type { Site } from '../site.ts';
import type { FieldProblem } from '../site-problem.ts';
import { parseNameServer } from './dns.ts';
import { isOnLoopback } from './socks.ts';

/** Ports of Landfall's own proxies on loopback. */
const reserved = new Map([
  [7890, 'the local HTTP proxy'],
  [7892, 'redsocks'],
]);

/** Checks the DNS servers and the SOCKS5 server of a site and returns all problems. */
export function checkNetwork(site: Partial<Site>): FieldProblem[] {
  return [...checkDns(site), ...checkSocksPort(site), ...checkSocksClients(site)];
}

/** A user who names a certificate expects encryption. */
function checkDns({ dns }: Partial<Site>): FieldProblem[] {
  const named = dns?.nameserver.find((text) => parseNameServer(text)?.tlsName !== undefined);
  if (named === undefined || dns?.tls) return [];
  return [
    {
      at: ['dns', 'nameserver'],
      message: `${named} has a name for DNS over TLS, but dns.tls is false`,
      hint: `Set dns.tls to true, or write ${parseNameServer(named)?.address}.`,
    },
  ];
}

function checkSocksPort({ socks, ports, firewall }: Partial<Site>): FieldProblem[] {
  if (!socks) return [];
  const users = new Map(reserved);
  for (const [name, port] of Object.entries(ports ?? {})) users.set(port, `ports.${name}`);
  const other = users.get(socks.port);
  const problems = [];
  if (other !== undefined) {
    problems.push({
      at: ['socks', 'port'],
      message: `socks.port is ${socks.port}, which ${other} already uses`,
      hint: `Use another port; ${freePort(socks.port, users.keys())} is free.`,
    });
  }
  const opening = `${socks.port}/tcp`;
  if (firewall?.allow.includes(opening)) {
    problems.push({
      at: ['firewall', 'allow'],
      message: `firewall.allow has ${opening}, the port of the SOCKS5 server`,
      hint: 'Remove it: socks.allow opens the port to these networks only.',
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
      message: `socks.listen is ${socks.listen}, but socks.allow has no IPv${version} network`,
      hint: 'Set the network of your devices, as in allow: [10.8.0.0/24].',
    },
  ];
}

function versionOf(range: string): number {
  return ipVersion(range.replace(/\/\d+$/, ''));
}
