import { bareHost } from '#http/no-proxy.ts';
import type { ProxyServer } from '#http/proxy.ts';
import { ipVersion, isInRange } from '#platform/ip.ts';
import { type AddressType, canonicalAddress, decodeAddresses, encodeQuery } from './dns/message.ts';
import { type Attempt, passedTls } from './exchange/attempt.ts';
import type { ProbeNetwork, Route } from './exchange/network.ts';
import { send } from './exchange/send.ts';
import type { ProbeTarget } from './target.ts';

/** How a probe reaches the internet. */
export interface ProbeSettings {
  readonly network: ProbeNetwork;
  /** A resolver with DNS over HTTPS. */
  readonly resolver: URL;
  /** Returns the proxy for a URL; undefined for none. */
  readonly proxyFor: (url: URL) => ProxyServer | undefined;
}

/** The addresses of a host. */
interface DnsReport {
  readonly state: DnsState;
  readonly system: readonly string[];
  /** The encrypted answer, if it was needed and arrived. */
  readonly trusted?: readonly string[];
}

/** What the probe found about one provider. */
export interface ProviderReport extends ProbeTarget {
  readonly dns: DnsReport;
  readonly direct: Attempt;
  /** The direct request to the addresses of the encrypted answer, if the two answers differ. */
  readonly corrected?: Attempt;
  /** Absent without a proxy for this host. */
  readonly proxy?: Attempt;
}

/** Probes one provider: first directly (SPEC 1.2), then through the proxy. */
export async function probeProvider(
  target: ProbeTarget,
  { network, resolver, proxyFor }: ProbeSettings,
): Promise<ProviderReport> {
  const { url } = target;
  const ask = async (route: Route) => withStatus((await send({ url }, route, network)).attempt);
  const direct = await ask({});
  const proxy = proxyFor(url);
  const resolved = await resolvedBy(resolver, target, direct, proxyFor(resolver), network);
  const isOther = resolved !== undefined && !isOverlapping(direct.addresses, resolved);
  const corrected = isOther && resolved.length > 0 ? await ask({ addresses: resolved }) : undefined;
  const state = checkDns(direct, resolved, corrected);
  return {
    ...target,
    dns: { state, system: direct.addresses, ...(resolved ? { trusted: resolved } : {}) },
    direct,
    ...(corrected ? { corrected } : {}),
    ...(proxy ? { proxy: await ask({ proxy }) } : {}),
  };
}

/**
 * Returns the encrypted answer, requested directly or else through the proxy. It is requested only
 * if the certificate did not confirm the answer of the system.
 */
async function resolvedBy(
  resolver: URL,
  { url }: ProbeTarget,
  direct: Attempt,
  proxy: ProxyServer | undefined,
  network: ProbeNetwork,
): Promise<readonly string[] | undefined> {
  const host = bareHost(url);
  if (ipVersion(host) !== 0) return [host];
  if (passedTls(direct)) return undefined;
  const answer = await askResolver(resolver, host, {}, network);
  if (answer !== undefined || proxy === undefined) return answer;
  return await askResolver(resolver, host, { proxy }, network);
}

/** Statuses of a provider that blocks this address or network; some mean a missing key by 403. */
const denials: Readonly<Record<number, string>> = {
  403: 'access denied',
  407: 'proxy authentication required',
  451: 'unavailable for legal reasons',
};

/**
 * Adds the failure of a status that is not the provider's: it shows that this route does not work.
 * 401 and 404 count as reachable, because no key is sent and base URLs differ.
 */
function withStatus(attempt: Attempt): Attempt {
  const { status } = attempt;
  if (status === undefined) return attempt;
  const why = refusalOf(status);
  if (why === undefined) return attempt;
  const failure = {
    step: 'http',
    code: 'HTTP_STATUS',
    reason: `status ${status}: ${why}`,
  } as const;
  return { ...attempt, failure };
}

function refusalOf(status: number): string | undefined {
  if (status >= 300 && status < 400) return 'redirect to another URL';
  if (status >= 500) return 'server error';
  return denials[status];
}

/** Responses are at most 64 KiB (RFC 8484, 6). */
const max = 65_535;
const type = 'application/dns-message';

/**
 * Returns the addresses of a name from a resolver with DNS over HTTPS (RFC 8484). Undefined if the
 * resolver cannot be reached or its response is invalid.
 */
async function askResolver(
  resolver: URL,
  name: string,
  route: Route,
  network: ProbeNetwork,
): Promise<string[] | undefined> {
  const ask = async (kind: AddressType) => {
    const url = new URL(resolver);
    url.searchParams.set('dns', encodeQuery(name, kind).toString('base64url'));
    const call = { url, headers: { accept: type }, maxBytes: max };
    const { answer } = await send(call, route, network);
    const isMessage = answer?.status === 200 && answer.header('content-type') === type;
    return isMessage ? decodeAddresses(answer.body) : undefined;
  };
  const found = await Promise.all([ask('A'), ask('AAAA')]);
  return found.every((addresses) => addresses === undefined)
    ? undefined
    : found.flatMap((addresses) => addresses ?? []);
}

/**
 * Whether the system's resolver returns the right addresses. `clean`: the certificate or the
 * encrypted answer confirms them. `polluted`: they are wrong. `suspected`: they differ from the
 * encrypted answer, and neither could be confirmed. `unknown`: they could not be compared.
 */
type DnsState = 'clean' | 'polluted' | 'suspected' | 'unknown';

/**
 * Checks the DNS answer of the system. CDNs return different addresses, so a difference is no proof.
 * @param trusted the encrypted answer, if one arrived
 * @param corrected the request to its addresses, if it was sent
 */
export function checkDns(
  direct: Attempt,
  trusted: readonly string[] | undefined,
  corrected: Attempt | undefined,
): DnsState {
  const system = direct.addresses;
  if (passedTls(direct)) return 'clean';
  if (trusted === undefined) return system.some(isBogus) ? 'suspected' : 'unknown';
  if (isOverlapping(system, trusted)) return 'clean';
  // The name does not exist, or exists in the local network only.
  if (trusted.length === 0) return system.length === 0 ? 'clean' : 'unknown';
  if (corrected !== undefined && passedTls(corrected)) return 'polluted';
  const isForged = system.length > 0 && system.every(isBogus) && !trusted.some(isBogus);
  if (isForged || direct.failure?.code === 'NETWORK_TLS') return 'polluted';
  return direct.failure === undefined ? 'clean' : 'suspected';
}

/** Returns whether two answers have an address in common. */
function isOverlapping(one: readonly string[], other: readonly string[]): boolean {
  const known = new Set(one.map(canonicalAddress));
  return other.some((address) => known.has(canonicalAddress(address)));
}

/**
 * Ranges that no public host has (RFC 6890). 198.18.0.0/15 is not included, because transparent
 * proxies use it for fake addresses of public hosts.
 */
const bogusRanges: ReadonlyArray<readonly [network: string, bits: number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

function isBogus(address: string): boolean {
  return bogusRanges.some(
    ([network, bits]) =>
      ipVersion(network) === ipVersion(address) && isInRange(address, network, bits),
  );
}

/**
 * The route that works for a provider. `dns`: direct requests work with the right addresses only.
 * `relay`: neither a direct request nor the proxy works.
 */
type VerdictKind = (typeof kinds)[number];

/** What a probe recommends. */
export interface Verdict {
  /** The route that all providers together need. */
  readonly kind: VerdictKind;
  /** The providers that need this route. */
  readonly providers: readonly string[];
  /** The providers whose DNS answer is wrong. */
  readonly polluted: readonly string[];
  /** Whether a proxy was tried. */
  readonly triedProxy: boolean;
}

/** From the least to the most that the user must change. */
const kinds = ['direct', 'proxy', 'dns', 'relay'] as const;

/** Returns the recommendation for all providers together. */
export function verdictOf(reports: readonly ProviderReport[]): Verdict {
  const routes = reports.map((report) => ({ name: report.name, kind: routeFor(report) }));
  const kind = kinds.findLast((each) => routes.some((route) => route.kind === each)) ?? 'direct';
  return {
    kind,
    providers: routes.filter((route) => route.kind === kind).map(({ name }) => name),
    polluted: reports.filter(({ dns }) => dns.state === 'polluted').map(({ name }) => name),
    triedProxy: reports.some(({ proxy }) => proxy !== undefined),
  };
}

/** Returns whether each provider has a route that works without a change of DNS. */
export function hasRoute({ kind }: Verdict): boolean {
  return kind === 'direct' || kind === 'proxy';
}

/** Returns the first route that works for a provider. */
function routeFor({ direct, proxy, corrected }: ProviderReport): VerdictKind {
  if (direct.failure === undefined) return 'direct';
  if (proxy !== undefined && proxy.failure === undefined) return 'proxy';
  if (corrected !== undefined && corrected.failure === undefined) return 'dns';
  return 'relay';
}
