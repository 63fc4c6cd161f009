import { rowOfCode } from '#contract/error-codes.ts';
import { formatLatency } from '#contract/text/duration.ts';
import { parseJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import { ipVersion } from '#platform/ip.ts';
import { LiveProgress } from '#terminal/live-progress.ts';
import { canRedraw, type Screen } from '#terminal/screen.ts';
import { type ProxyChoice, proxyChooser } from './choose-proxy.ts';
import { type Attempt, timeOf } from './exchange/attempt.ts';
import { type ProbeNetwork, type Route, systemNetwork } from './exchange/network.ts';
import { send } from './exchange/send.ts';
import {
  hasRoute,
  type ProbeSettings,
  type ProviderReport,
  probeProvider,
  type Verdict,
  verdictOf,
} from './probe-provider.ts';
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

const head = ['provider', 'route', 'DNS', 'connect', 'TLS', 'response', 'result'];

/** Formats a report as a table, with the egress addresses, DNS findings and the verdict below. */
function probeTable({ providers, egress, proxy, verdict }: ProbeReport): string {
  const right = { align: 'right' } as const;
  const rows = alignRows(
    [head, ...providers.flatMap(rowsOf)],
    [{}, {}, right, right, right, right, {}],
  );
  const ways = proxy === undefined ? [] : [['egress by proxy', addressOf(egress.proxy)]];
  const facts = [
    ['egress, direct', addressOf(egress.direct)],
    ...ways,
    ...(proxy === undefined ? [] : [['proxy', proxy]]),
    ...providers.flatMap(dnsFacts),
    ['verdict', describeVerdict(verdict)],
  ];
  return [...rows, '', ...alignRows(facts)].join('\n');
}

function rowsOf({ name, direct, corrected, proxy }: ProviderReport): string[][] {
  const rows = [{ route: 'direct', attempt: direct }];
  if (corrected) rows.push({ route: 'right address', attempt: corrected });
  if (proxy) rows.push({ route: 'proxy', attempt: proxy });
  return rows.map(({ route, attempt }, index) => [
    index === 0 ? plainLine(name, 64) : '',
    route,
    timeIn(attempt, 'dns'),
    timeIn(attempt, 'tcp') || timeIn(attempt, 'proxy'),
    timeIn(attempt, 'tls'),
    timeIn(attempt, 'http'),
    resultOf(attempt),
  ]);
}

function timeIn(attempt: Attempt, step: Parameters<typeof timeOf>[1]): string {
  const took = timeOf(attempt, step);
  return took === undefined ? '' : formatLatency(took);
}

function resultOf({ status, failure }: Attempt): string {
  return failure === undefined ? `reachable (status ${status})` : `FAILED: ${failure.reason}`;
}

function addressOf(egress: Egress | undefined): string {
  if (egress === undefined) return 'not used for the echo service';
  return 'address' in egress ? egress.address : `unknown: ${egress.failure.reason}`;
}

/** Addresses that fit into one line. */
const maxAddresses = 3;

function dnsFacts({ url, dns }: ProviderReport): string[][] {
  const { state, system, trusted = [] } = dns;
  const isKnown = state !== 'unknown' || system.length > 0;
  if (state === 'clean' || !isKnown) return [];
  const list = (addresses: readonly string[]) =>
    addresses.slice(0, maxAddresses).join(', ') || 'no address';
  const compared = trusted.length > 0 ? `; encrypted answer: ${list(trusted)}` : '';
  return [[`DNS, ${state}`, `${url.hostname}: ${list(system)}${compared}`]];
}

/** Formats a verdict as one line, with the remedy of SPEC 7. */
export function describeVerdict(verdict: Verdict): string {
  const { polluted } = verdict;
  const remedy =
    polluted.length > 0 ? `. DNS is polluted for ${polluted.join(', ')}: ${dnsRemedy}` : '';
  return `${sentenceOf(verdict)}${remedy}`;
}

const dnsRemedy =
  'use a public DNS server, a proxy that resolves names, or proxy_dns in proxychains; the system may overwrite resolv.conf';

function sentenceOf({ kind, providers, triedProxy }: Verdict): string {
  const names = providers.join(', ');
  switch (kind) {
    case 'direct':
      return 'direct access works; no proxy is needed';
    case 'proxy':
      return `the proxy works; use it for ${names}`;
    case 'dns':
      return `direct access to ${names} works with the right addresses`;
    case 'relay':
      return triedProxy
        ? `no route works for ${names}: check the settings and the port of the proxy, or use a relay`
        : `no route works for ${names}: use a proxy or a relay`;
  }
}

/** Everything that a probe found. */
interface ProbeReport {
  readonly providers: readonly ProviderReport[];
  readonly egress: { readonly direct: Egress; readonly proxy?: Egress };
  /** Host and port of the proxy, without its login. */
  readonly proxy?: string;
  readonly verdict: Verdict;
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

/** The address from which a server sees this machine, or why it is unknown. */
type Egress = { readonly address: string } | { readonly failure: NonNullable<Attempt['failure']> };

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
