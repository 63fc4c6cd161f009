import { rowOfCode } from '#contract/error-codes.ts';
import { LiveProgress } from '#terminal/live-progress.ts';
import { canRedraw, type Screen } from '#terminal/screen.ts';
import { type ProxyChoice, proxyChooser } from './choose-proxy.ts';
import { systemNetwork } from './exchange/network.ts';
import { runProbe } from './run-probe.ts';
import { probeTable } from './table.ts';
import { targetsOf, webUrlOf } from './target.ts';
import { hasRoute } from './verdict.ts';

/** Options of `landfall probe`, on both command lines. */
export interface ProbeFlags {
  readonly proxy?: string;
  readonly resolver: string;
  readonly echo: string;
  readonly json?: boolean;
}

/** The environment of `landfall probe`. */
interface ProbeInputs extends Omit<ProxyChoice, 'option'> {
  /** The providers of the site. */
  readonly providers: Readonly<Record<string, { readonly base_url: string }>> | undefined;
  /** PEM of additional certificate authorities. */
  readonly ca?: string | undefined;
  /** Shows the progress, if it is a terminal. */
  readonly screen: Screen;
}

/** What the command prints, and its exit code. */
interface ProbeOutput {
  readonly text: string;
  readonly exitCode: number;
}

/**
 * Probes the providers as the options demand, with progress on a terminal.
 * @throws LandfallError USAGE, NETWORK_PROXY, NETWORK_TLS for invalid options
 */
export async function probeFromFlags(
  urls: readonly string[],
  flags: ProbeFlags,
  inputs: ProbeInputs,
): Promise<ProbeOutput> {
  const targets = targetsOf(urls, inputs.providers);
  const resolver = webUrlOf(flags.resolver, 'the URL of a resolver', 'https://1.1.1.1/dns-query');
  const echo = webUrlOf(flags.echo, 'the URL of an echo service', 'https://ipinfo.io/ip');
  const network = systemNetwork(inputs.ca);
  const proxyFor = await proxyChooser({ ...inputs, option: flags.proxy });
  const isLive = flags.json !== true && canRedraw(inputs.screen, inputs.env);
  const progress = new LiveProgress(inputs.screen);
  const work = {
    label: 'probing providers',
    done: 0,
    total: targets.length,
    unit: 'tests',
  } as const;
  const meter = isLive ? progress.start(work) : undefined;
  try {
    const settings = { network, resolver, proxyFor };
    const report = await runProbe(targets, echo, settings, () => meter?.advance(1));
    return {
      text: flags.json ? JSON.stringify(report, null, 2) : probeTable(report),
      exitCode: hasRoute(report.verdict) ? 0 : rowOfCode('NETWORK_UNREACHABLE').exit,
    };
  } finally {
    progress.close();
  }
}
