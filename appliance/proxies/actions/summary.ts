import type { Problem } from '#contract/errors.ts';
import { formatProblems } from '#contract/text/problem.ts';
import type { ProxyEntry } from '../model/proxy.ts';
import { byPosition, type Report } from '../source/report.ts';
import type { Tally } from '../source/tally.ts';

/** Reasons to name in a line. */
const named = 5;

/** Returns the number of proxies of each type. */
export function countByType(proxies: readonly ProxyEntry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of proxies) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** Returns the number of proxies that do not check the certificate of their server. */
export function unverified(proxies: readonly ProxyEntry[]): number {
  return proxies.filter((proxy) => 'tls' in proxy && proxy.tls?.insecure && !isReality(proxy))
    .length;
}

/** REALITY proves the server with its key. */
function isReality({ tls }: Extract<ProxyEntry, { tls?: unknown }>): boolean {
  return tls !== undefined && 'reality' in tls && tls.reality !== undefined;
}

/** Returns the rows of a table about the proxies: their types, and why others are left out. */
export function summaryRows(proxies: readonly ProxyEntry[], report: Report): string[][] {
  const types = Object.entries(countByType(proxies)).map(([type, count]) => `${count} ${type}`);
  const { proxy, setting } = report.leftOut;
  const insecure = unverified(proxies);
  return [
    ['proxies', `${proxies.length} (${types.join(', ')})`],
    ...(proxy.count > 0 ? [['left out', reasonsLine(proxy)]] : []),
    ...(setting.count > 0 ? [['settings', reasonsLine(setting)]] : []),
    ...(report.ignored.count > 0 ? [['ignored', reasonsLine(report.ignored)]] : []),
    ...(insecure > 0
      ? [['warning', `certificate not checked: ${insecure} of ${proxies.length} proxies`]]
      : []),
  ];
}

/** Formats `41: 20 × key ech, 9 × network: xhttp`. */
function reasonsLine(tally: Tally): string {
  const reasons = tally.reasons();
  const shown = reasons.slice(0, named);
  const rest = tally.count - shown.reduce((sum, [, count]) => sum + count, 0);
  const parts = shown.map(([reason, count]) => `${count} × ${reason}`);
  if (rest > 0) parts.push(`${rest} × other reasons (--details)`);
  return `${tally.count}: ${parts.join(', ')}`;
}

/** Prints everything that was left out or ignored, with its lines. */
export function writeDetails(stderr: NodeJS.WritableStream, report: Report): void {
  const { proxy, group, rule, setting } = report.leftOut;
  writeList(stderr, 'Left out:', [proxy]);
  writeList(stderr, 'Groups and rules that are not imported:', [group, rule]);
  writeList(stderr, 'Settings that are not imported:', [setting]);
  writeList(stderr, 'Ignored or changed:', [report.ignored]);
}

function writeList(stderr: NodeJS.WritableStream, title: string, tallies: readonly Tally[]): void {
  const details: Problem[] = byPosition(tallies.flatMap((tally) => tally.details));
  const rest = tallies.reduce((sum, { count }) => sum + count, 0) - details.length;
  if (details.length === 0) return;
  const more = rest > 0 ? [`  … and ${rest} more`] : [];
  stderr.write(`${[title, ...formatProblems(details), ...more].join('\n')}\n`);
}
