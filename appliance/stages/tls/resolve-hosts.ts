import { isIP } from 'node:net';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { publicPorts } from '#contract/site/network/public-ports.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../../server/host/host.ts';
import { isPublic, publicAddress, serverAddresses } from '../../server/host/outside/addresses.ts';
import { type AuthorityPorts, authorityPorts, probeGateway } from './probe-gateway.ts';
import type { Resolve } from './resolve-name.ts';

/** Names that resolve to this server, and the problems of the others. */
interface NamesHere {
  readonly ready: readonly string[];
  /** TLS_NAME if there are others. */
  readonly error: LandfallError | undefined;
  /** The DNS records that the others need. */
  readonly missing: readonly DnsRecord[];
}

export interface DnsRecord {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
  /** Undefined if no address of this server is known. */
  readonly value: string | undefined;
}

/** A problem of a name, and the DNS records that solve it. */
interface NameProblem extends Problem {
  readonly records?: readonly DnsRecord[];
}

/**
 * Checks which names resolve to this server's gateway. Only these are requested from an authority,
 * because each failed verification counts against its rate limit (SPEC 3.4).
 */
export async function findNamesHere(
  { host, site }: { readonly host: Host; readonly site: Site },
  names: readonly string[],
  resolve: Resolve,
  ports: AuthorityPorts = authorityPorts,
): Promise<NamesHere> {
  const own = await serverAddresses(host);
  const seen = await publicAddress(host, own);
  const isKnown = seen !== undefined && isIP(seen) === 4;
  const server: Here = {
    ...{ host, site, ports, seen, own: [...own.v4, ...own.v6] },
    seen6: own.v6.find(isPublic),
    // An authority of the administrator's own certifies private addresses, too.
    inner: isKnown || site.tls.server ? undefined : own.v4.find((address) => !isPublic(address)),
  };
  const found = await Promise.all(
    names.map(async (name) => ({ name, problem: await checkName(server, name, resolve) })),
  );
  const ready = found.filter(({ problem }) => !problem).map(({ name }) => name);
  const problems = found.map(({ problem }) => problem).filter((problem) => problem !== undefined);
  const missing = problems.flatMap(({ records }) => records ?? []);
  return { ready, error: problems.length > 0 ? notHere(problems) : undefined, missing };
}

interface Here {
  readonly host: Host;
  readonly site: Site;
  readonly ports: AuthorityPorts;
  readonly own: readonly string[];
  /** Public IPv4 address, if known. */
  readonly seen: string | undefined;
  readonly seen6: string | undefined;
  /** Private IPv4 address of a server behind NAT whose public address is not known. */
  readonly inner: string | undefined;
}

async function checkName(
  here: Here,
  name: string,
  resolve: Resolve,
): Promise<NameProblem | undefined> {
  if (isIP(name)) return await checkAddress(here, name);
  const addresses = await resolve(name);
  if (addresses === undefined) return unknownName(here, name);
  if (addresses.length === 0) {
    const records = recordsFor(here, name);
    return {
      message: inLanguage({
        en: `${name} has no A or AAAA record`,
        zh: `${name} 没有 A 或 AAAA 记录`,
      }),
      hint: inLanguage({
        en: `Create the record ${listOf(records, ' and ')}.`,
        zh: `添加记录 ${listOf(records, ' 和 ')}。`,
      }),
      records,
    };
  }
  // An authority may connect to any of the addresses, so all of them must be this server's.
  const problems = await Promise.all(addresses.map((address) => checkRecord(here, name, address)));
  return problems.find((problem) => problem !== undefined);
}

async function checkRecord(
  here: Here,
  name: string,
  address: string,
): Promise<NameProblem | undefined> {
  const { responder, network } = await probeGateway(here.host, name, address, here.ports);
  if (responder === 'gateway') return undefined;
  const type = isIP(address) === 6 ? 'AAAA' : 'A';
  if (here.own.includes(address)) return silentGateway(name, address);
  // Behind NAT a server often cannot connect to its own public address.
  if (address === here.seen && responder === 'none') return undefined;
  if (network) return behindNetwork(name, address, network);
  if (here.inner !== undefined && type === 'A') return behindNat(here, here.inner, name, address);
  const what =
    responder === 'none'
      ? { en: 'which does not respond on port 80', zh: '它的 80 端口没有响应' }
      : { en: 'another server', zh: '那是另一台服务器' };
  const records = recordsFor(here, name);
  return {
    message: inLanguage({
      en: `${name} resolves to ${address}, ${what.en}`,
      zh: `${name} 解析为 ${address}，${what.zh}`,
    }),
    records,
    hint: inLanguage({
      en: `Replace the record ${name} ${type} ${address} by the record ${listOf(records, ' and ')}. If the address does belong to this server, run: sudo landfall tls renew --force`,
      zh: `把记录 ${name} ${type} ${address} 换成 ${listOf(records, ' 和 ')}。如果这个地址确实属于这台服务器，请运行：sudo landfall tls renew --force`,
    }),
  };
}

async function checkAddress(here: Here, address: string): Promise<Problem | undefined> {
  if (!here.site.tls.server && !isPublic(address)) {
    return {
      message: inLanguage({
        en: `${address} is not a public address, and no public address of this server is known`,
        zh: `${address} 不是公网地址，也不知道这台服务器的公网地址`,
      }),
      hint: inLanguage({
        en: 'Use a host name with tls.mode: acme, or tls.mode: internal: authorities certify public addresses only.',
        zh: '使用域名和 tls.mode: acme，或 tls.mode: internal：颁发机构只为公网地址签发证书。',
      }),
    };
  }
  if (!here.own.includes(address)) return undefined;
  const { responder } = await probeGateway(here.host, address, address, here.ports);
  return responder === 'gateway' ? undefined : silentGateway(address, address);
}

/** The record is right: the requests of the authority end at the network in front of this server. */
function behindNetwork(name: string, address: string, network: string): NameProblem {
  return {
    message: inLanguage({
      en: `${name} resolves to ${address} of ${network}, which does not forward requests for certificates to this server`,
      zh: `${name} 解析为 ${network} 的 ${address}，它没有把证书验证的请求转发到这台服务器`,
    }),
    hint: inLanguage({
      en: `Let ${network} forward http://${name}/.well-known/acme-challenge/ and https:// alike to this server, or switch it off for this name ("DNS only"). Then run: sudo landfall tls renew`,
      zh: `让 ${network} 把 http://${name}/.well-known/acme-challenge/ 和 https:// 都转发到这台服务器，或对这个域名关闭它（“仅 DNS”）。然后运行：sudo landfall tls renew`,
    }),
  };
}

/** Whether the record is right cannot be seen from here: many routers do not lead back in from inside. */
function behindNat({ site }: Here, inner: string, name: string, address: string): NameProblem {
  const ports = [authorityPorts.http, publicPorts(site).https].join(', ');
  return {
    message: inLanguage({
      en: `${name} resolves to ${address}, which does not lead to this server from inside: it is behind NAT, with the private address ${inner}`,
      zh: `${name} 解析为 ${address}，从内部访问它到不了这台服务器：服务器在 NAT 后面，内网地址是 ${inner}`,
    }),
    hint: inLanguage({
      en: `If ${address} is your router, let it forward the TCP ports ${ports} to ${inner}, and run: sudo landfall tls renew --force. Otherwise create the record ${name} A with the public address of the router.`,
      zh: `如果 ${address} 是您的路由器，请让它把 TCP 端口 ${ports} 转发到 ${inner}，然后运行：sudo landfall tls renew --force。否则请添加记录 ${name} A，值为路由器的公网地址。`,
    }),
  };
}

function silentGateway(name: string, address: string): Problem {
  return {
    message: inLanguage({
      en: `${name} resolves to this server, but its gateway does not respond on port 80 of ${address}`,
      zh: `${name} 解析到这台服务器，但网关没有在 ${address} 的 80 端口响应`,
    }),
    hint: inLanguage({
      en: 'See: sudo docker logs landfall-gateway, and sudo landfall firewall list',
      zh: '查看：sudo docker logs landfall-gateway 和 sudo landfall firewall list',
    }),
  };
}

/** Returns the problem of a failed lookup. Servers behind a proxy may have no DNS, so that is ignored. */
function unknownName({ site }: Here, name: string): Problem | undefined {
  if (site.route.mode !== 'direct') return undefined;
  return {
    message: inLanguage({
      en: `cannot resolve ${name}: no DNS server responds`,
      zh: `无法解析 ${name}：DNS 服务器都没有响应`,
    }),
    hint: inLanguage({
      en: 'Check /etc/resolv.conf and the network.',
      zh: '检查 /etc/resolv.conf 和网络。',
    }),
  };
}

/** Returns the DNS records of a name on this server. */
function recordsFor({ own, seen, seen6, inner }: Here, name: string): DnsRecord[] {
  const v4 = [seen, ...own].find(
    (address) => address !== undefined && isIP(address) === 4 && address !== inner,
  );
  return [
    ...(v4 || !seen6 ? [{ name, type: 'A' as const, value: v4 }] : []),
    ...(seen6 ? [{ name, type: 'AAAA' as const, value: seen6 }] : []),
  ];
}

/** Returns a DNS record in the format of zone files. */
export function formatRecord({ name, type, value }: DnsRecord): string {
  return `${name} ${type} ${value ?? '<public address of this server>'}`;
}

function listOf(records: readonly DnsRecord[], and: string): string {
  return records.map(formatRecord).join(and);
}

function notHere(problems: readonly Problem[]): LandfallError {
  const message =
    problems.length === 1
      ? 'a host name does not resolve to this server yet'
      : `${problems.length} host names do not resolve to this server yet`;
  return new LandfallError('TLS_NAME', message, {
    hint: 'Create the records above and wait: new records usually take 30 seconds to 2 minutes, and the certificate is then requested automatically.',
    problems: problems.map(({ message: text, hint }) => ({ message: text, hint })),
  });
}
