import { rowOfCode } from '#contract/error-codes.ts';
import { parseJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { ipVersion } from '#platform/ip.ts';
import { LiveProgress } from '#terminal/live-progress.ts';
import { canRedraw, type Screen } from '#terminal/screen.ts';
import { type ProxyChoice, proxyChooser } from './choose-proxy.ts';
import { type ProbeNetwork, type Route, systemNetwork } from './exchange/network.ts';
import { send } from './exchange/send.ts';
import { hasRoute, type ProbeSettings, probeProvider, verdictOf } from './probe-provider.ts';
import { type Egress, type ProbeReport, probeTable } from './probe-table.ts';
import { type ProbeTarget, targetsOf, webUrlOf } from './target.ts';

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
  readonly providers: Parameters<typeof targetsOf>[1] | undefined;
  /** PEM of additional certificate authorities. */
  readonly ca?: string | undefined;
  /** Shows the progress, if it is a terminal. */
  readonly screen: Screen;
}

/**
 * Probes the providers as the options demand, with progress on a terminal.
 * @throws LandfallError USAGE, NETWORK_PROXY, NETWORK_TLS for invalid options
 */
export async function probeFromFlags(
  urls: readonly string[],
  flags: ProbeFlags,
  inputs: ProbeInputs,
): Promise<{ text: string; exitCode: number }> {
  const targets = targetsOf(urls, inputs.providers);
  const resolver = webUrlOf(flags.resolver, 'the URL of a resolver', 'https://1.1.1.1/dns-query');
  const echo = webUrlOf(flags.echo, 'the URL of an echo service', 'https://ipinfo.io/ip');
  const network = systemNetwork(inputs.ca);
  const proxyFor = await proxyChooser({ ...inputs, option: flags.proxy });
  const isLive = flags.json !== true && canRedraw(inputs.screen, inputs.env);
  const progress = new LiveProgress(inputs.screen);
  const work = {
    label: inLanguage({ en: 'probing providers', zh: '探测模型服务商' }),
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

/** Probes the providers and the egress addresses. */
async function runProbe(
  targets: readonly ProbeTarget[],
  echo: URL,
  settings: ProbeSettings,
  done: () => void,
): Promise<ProbeReport> {
  const { network, proxyFor } = settings;
  const direct = await egressOver({}, echo, network);
  const providers = await Promise.all(
    targets.map((target) => probeProvider(target, settings).finally(done)),
  );
  const proxy = proxyFor(echo);
  const used = [...targets.map(({ url }) => proxyFor(url)), proxy].find((each) => each);
  return {
    providers,
    egress: { direct, ...(proxy ? { proxy: await egressOver({ proxy }, echo, network) } : {}) },
    ...(used ? { proxy: used.url.host } : {}),
    verdict: verdictOf(providers),
  };
}

/** More than any response of an echo service. Bytes. */
const maxEcho = 4096;

/** Asks an echo service for the egress address over one route (SPEC 4, E6). */
export async function egressOver(route: Route, echo: URL, network: ProbeNetwork): Promise<Egress> {
  const call = {
    url: echo,
    headers: { accept: 'application/json, text/plain' },
    maxBytes: maxEcho,
  };
  const { attempt, answer } = await send(call, route, network);
  if (attempt.failure !== undefined) return { failure: attempt.failure };
  const address = answer?.status === 200 ? addressIn(answer.body.toString('utf8')) : undefined;
  if (address !== undefined) return { address };
  const failed = { step: 'http', code: 'HTTP_STATUS' } as const;
  return { failure: { ...failed, reason: 'the response of the echo service has no address' } };
}

/** Returns the address of a response: plain text, or JSON with `ip` or `origin`. */
function addressIn(text: string): string | undefined {
  const fields = fieldsOf(text);
  const [first = ''] = (fields === undefined ? text : `${fields.ip ?? fields.origin}`).split(',');
  const address = first.trim();
  return ipVersion(address) !== 0 && !address.includes('%') ? address : undefined;
}

function fieldsOf(text: string): { readonly ip?: unknown; readonly origin?: unknown } | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}
