import { bareHost } from '#http/no-proxy.ts';
import type { ProxyServer } from '#http/proxy.ts';
import { ipVersion } from '#platform/ip.ts';
import { askResolver } from './dns/ask-resolver.ts';
import { checkDns, type DnsState, isOverlapping } from './dns/compare-answers.ts';
import { type Attempt, passedTls } from './exchange/attempt.ts';
import type { ProbeNetwork, Route } from './exchange/route.ts';
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
  const state = checkDns({ direct, trusted: resolved, corrected });
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
