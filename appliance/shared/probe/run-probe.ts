import { type Egress, egressOver } from './egress.ts';
import { type ProbeSettings, type ProviderReport, probeProvider } from './probe-provider.ts';
import type { ProbeTarget } from './target.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** Everything that a probe found. */
export interface ProbeReport {
  readonly providers: readonly ProviderReport[];
  readonly egress: { readonly direct: Egress; readonly proxy?: Egress };
  /** Host and port of the proxy, without its login. */
  readonly proxy?: string;
  readonly verdict: Verdict;
}

/** Enough for all providers, and few enough not to slow down each other. */
const mostAtOnce = 4;

/**
 * Probes the providers and the egress addresses.
 * @param done called after each provider
 */
export async function runProbe(
  targets: readonly ProbeTarget[],
  echo: URL,
  settings: ProbeSettings,
  done: (report: ProviderReport) => void = () => {},
): Promise<ProbeReport> {
  const { network, proxyFor } = settings;
  const direct = await egressOver({}, echo, network);
  const reports: ProviderReport[] = [];
  const waiting = [...targets.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, target] = next;
      const report = await probeProvider(target, settings);
      reports[index] = report;
      done(report);
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, work));
  const proxy = proxyFor(echo);
  const used = [...targets.map(({ url }) => proxyFor(url)), proxy].find((each) => each);
  return {
    providers: reports,
    egress: { direct, ...(proxy ? { proxy: await egressOver({ proxy }, echo, network) } : {}) },
    ...(used ? { proxy: used.url.host } : {}),
    verdict: verdictOf(reports),
  };
}
