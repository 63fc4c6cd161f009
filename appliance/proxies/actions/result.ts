import type { Problem } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatTable } from '#contract/text/table.ts';
import type { StoredProxies } from '../store/stored.ts';
import type { SubscriptionInfo } from '../subscription/info.ts';
import type { Imported } from '../subscription/read.ts';

/** What `landfall route import --json` prints. It contains no secret. */
interface ImportResult {
  readonly format: Imported['format'];
  /** Number of proxies by type. */
  readonly proxies: Readonly<Record<string, number>>;
  readonly groups: number;
  readonly rules: number;
  readonly source: 'file' | 'subscription';
  /** Empty if the source is a file. */
  readonly subscription: SubscriptionInfo;
  readonly notImported: readonly Problem[];
  readonly leftOut: readonly Problem[];
  readonly file: string;
}

/** Returns the result for programs. */
export function importResult(
  { format, settings, notes, skipped }: Imported,
  source: StoredProxies['source'],
  file: string,
): ImportResult {
  return {
    format,
    proxies: countByType(settings.proxies),
    groups: settings['proxy-groups'].length,
    rules: settings.rules.length,
    source: source.type,
    subscription: source.type === 'subscription' ? source.info : {},
    notImported: notes,
    leftOut: skipped,
    file,
  };
}

/** Formats the result for users. */
export function importTable(
  { settings }: Imported,
  source: StoredProxies['source'],
  { file, name, date }: { readonly file: string; readonly name: string; readonly date: Date },
): string {
  const types = Object.entries(countByType(settings.proxies)).map(
    ([type, count]) => `${count} ${type}`,
  );
  return formatTable([
    ['proxies', `${settings.proxies.length} (${types.join(', ')})`],
    ['groups', String(settings['proxy-groups'].length)],
    ['rules', String(settings.rules.length)],
    ['source', name],
    ...(source.type === 'subscription' ? infoRows(source.info, date) : []),
    ['stored in', file],
  ]);
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

function countByType(proxies: readonly { readonly type: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of proxies) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
