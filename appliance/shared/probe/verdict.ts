import type { ProviderReport } from './probe-provider.ts';

/**
 * The route that works for a provider. `dns`: direct requests work with the right addresses only.
 * `relay`: neither a direct request nor the proxy works.
 */
type VerdictKind = 'direct' | 'proxy' | 'dns' | 'relay';

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
const kinds: readonly VerdictKind[] = ['direct', 'proxy', 'dns', 'relay'];

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
