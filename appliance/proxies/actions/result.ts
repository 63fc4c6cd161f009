import type { Problem } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatTable } from '#contract/text/table.ts';
import { byPosition, type EntryKind } from '../source/report.ts';
import type { Tally } from '../source/tally.ts';
import type { StoredProxies } from '../store/stored.ts';
import type { SubscriptionInfo } from '../subscription/info.ts';
import type { Imported } from '../subscription/read.ts';
import { countByType, summaryRows, unverified } from './summary.ts';

/** What `landfall route import --json` prints. It contains no secret. */
interface ImportResult {
  readonly format: Imported['format'];
  /** Number of proxies by type. */
  readonly proxies: Readonly<Record<string, number>>;
  /** Number of proxies that do not check the certificate of their server. */
  readonly unverified: number;
  readonly groups: number;
  readonly rules: number;
  readonly source: 'file' | 'subscription';
  /** Empty if the source is a file. */
  readonly subscription: SubscriptionInfo;
  readonly leftOut: Readonly<Record<EntryKind, Counted>>;
  /** Settings of entries and files that are ignored, or that are imported in another form. */
  readonly ignored: Counted;
  readonly file: string;
}

/** A number of entries or settings with its reasons, and the first of them in detail. */
interface Counted {
  readonly count: number;
  readonly reasons: Readonly<Record<string, number>>;
  readonly details: readonly Problem[];
}

/** Returns the result for programs. */
export function importResult(
  { format, settings, report }: Imported,
  source: StoredProxies['source'],
  file: string,
): ImportResult {
  return {
    format,
    proxies: countByType(settings.proxies),
    unverified: unverified(settings.proxies),
    groups: settings['proxy-groups'].length,
    rules: settings.rules.length,
    source: source.type,
    subscription: source.type === 'subscription' ? source.info : {},
    leftOut: {
      proxy: counted(report.leftOut.proxy),
      group: counted(report.leftOut.group),
      rule: counted(report.leftOut.rule),
      setting: counted(report.leftOut.setting),
    },
    ignored: counted(report.ignored),
    file,
  };
}

function counted(tally: Tally): Counted {
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
