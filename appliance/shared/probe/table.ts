import { formatLatency } from '#contract/text/duration.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import { describeVerdict } from './describe-verdict.ts';
import type { Egress } from './egress.ts';
import { type Attempt, timeOf } from './exchange/attempt.ts';
import type { ProviderReport } from './probe-provider.ts';
import type { ProbeReport } from './run-probe.ts';

const head = ['provider', 'route', 'DNS', 'connect', 'TLS', 'response', 'result'];

/** Formats a report as a table, with the egress addresses, DNS findings and the verdict below. */
export function probeTable({ providers, egress, proxy, verdict }: ProbeReport): string {
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
const mostAddresses = 3;

function dnsFacts({ url, dns }: ProviderReport): string[][] {
  const { state, system, trusted = [] } = dns;
  const isKnown = state !== 'unknown' || system.length > 0;
  if (state === 'clean' || !isKnown) return [];
  const list = (addresses: readonly string[]) =>
    addresses.slice(0, mostAddresses).join(', ') || 'no address';
  const compared = trusted.length > 0 ? `; encrypted answer: ${list(trusted)}` : '';
  return [[`DNS, ${state}`, `${url.hostname}: ${list(system)}${compared}`]];
}
