import type { Problem } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatProblems } from '#contract/text/problem.ts';
import { formatTable } from '#contract/text/table.ts';
import type { ProxyEntry } from '../protocols/registry.ts';
import type { Imported } from '../read-proxies.ts';
import { byPosition, type Report, type Tally } from '../source/report.ts';
import type { StoredProxies, SubscriptionInfo } from '../store.ts';

/** Returns what `landfall route import --json` prints. It contains no secret. */
export function importResult(
  { format, settings, report }: Imported,
  source: StoredProxies['source'],
  file: string,
) {
  const { proxy, group, rule, setting } = report.leftOut;
  return {
    format,
    /** Number of proxies by type. */
    proxies: countByType(settings.proxies),
    /** Number of proxies that do not check the certificate of their server. */
    unverified: unverified(settings.proxies),
    groups: settings['proxy-groups'].length,
    rules: settings.rules.length,
    source: source.type,
    subscription: source.type === 'subscription' ? source.info : {},
    leftOut: {
      ...{ proxy: counted(proxy), group: counted(group) },
      ...{ rule: counted(rule), setting: counted(setting) },
    },
    /** Settings of entries and files that are ignored, or that are imported in another form. */
    ignored: counted(report.ignored),
    file,
  };
}

/** Returns a number with its reasons, and the first of them in detail. */
function counted(tally: Tally) {
  const { count, details } = tally;
  return { count, reasons: Object.fromEntries(tally.reasons()), details: byPosition(details) };
}

/** Formats the result for users. */
export function importTable(
  { settings, report }: Imported,
  source: StoredProxies['source'],
  { file, name, date }: { readonly file: string; readonly name: string; readonly date: Date },
): string {
  const { group, rule } = report.leftOut;
  return formatTable([
    ...summaryRows(settings.proxies, report),
    ['groups', withLeftOut(settings['proxy-groups'].length, group)],
    ['rules', withLeftOut(settings.rules.length, rule)],
    ['source', name],
    ...(source.type === 'subscription' ? infoRows(source.info, date) : []),
    ['stored in', file],
  ]);
}

function withLeftOut(count: number, leftOut: Tally): string {
  return leftOut.count === 0 ? String(count) : `${count} (${leftOut.count} not imported)`;
}

function infoRows(info: SubscriptionInfo, date: Date): string[][] {
  const { upload, download, total, expire, updateInterval, name } = info;
  const isUsed = upload !== undefined || download !== undefined;
  const used = formatBytes((upload ?? 0) + (download ?? 0));
  const traffic = total === undefined ? used : `${used} of ${formatBytes(total)}`;
  return [
    ...(name === undefined ? [] : [['name', name]]),
    ...(isUsed || total !== undefined ? [['traffic', traffic]] : []),
    ...(expire === undefined ? [] : [['expires', expiry(expire, date)]]),
    ...(updateInterval === undefined ? [] : [['update', `every ${updateInterval} h`]]),
  ];
}

/** Formats a date with the days that are left, in UTC. */
function expiry(seconds: number, now: Date): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return 'never';
  const days = Math.floor((date.getTime() - now.getTime()) / 86_400_000);
  const rest = days < 0 ? 'expired' : days === 1 ? 'in 1 day' : `in ${days} days`;
  return `${date.toISOString().slice(0, 10)} (${rest})`;
}

const maxReasons = 5;

function countByType(proxies: readonly ProxyEntry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of proxies) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** Returns the number of proxies that do not check the certificate of their server. */
function unverified(proxies: readonly ProxyEntry[]): number {
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
  const shown = reasons.slice(0, maxReasons);
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
