import { formatBytes } from '#contract/text/amount.ts';
import { currentLanguage, inLanguage } from '#contract/text/language.ts';
import { formatProblems } from '#contract/text/problem.ts';
import { formatTable } from '#contract/text/table.ts';
import type { ProxyEntry } from '../protocols/registry.ts';
import type { Imported } from '../read-proxies.ts';
import { inWords } from '../source/reasons.ts';
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
  const problems = byPosition(details).map(({ texts: _texts, ...problem }) => problem);
  return { count, reasons: Object.fromEntries(tally.reasons()), details: problems };
}

const labels = {
  proxies: { en: 'proxies', zh: '节点' },
  leftOut: { en: 'left out', zh: '跳过' },
  settings: { en: 'settings', zh: '设置' },
  ignored: { en: 'ignored', zh: '忽略' },
  warning: { en: 'warning', zh: '警告' },
  groups: { en: 'groups', zh: '策略组' },
  rules: { en: 'rules', zh: '规则' },
  source: { en: 'source', zh: '来源' },
  stored: { en: 'stored in', zh: '保存在' },
  name: { en: 'name', zh: '名称' },
  traffic: { en: 'traffic', zh: '流量' },
  expires: { en: 'expires', zh: '到期' },
  update: { en: 'update', zh: '更新' },
} as const;

const row = (label: keyof typeof labels, value: string) => [inLanguage(labels[label]), value];

/** Returns a text with one number or value in each language. */
const say = (en: string, zh: string) => inLanguage({ en, zh });

/** Formats the result for users. */
export function importTable(
  { settings, report }: Imported,
  source: StoredProxies['source'],
  { file, name, date }: { readonly file: string; readonly name: string; readonly date: Date },
): string {
  const { group, rule } = report.leftOut;
  return formatTable([
    ...summaryRows(settings.proxies, report),
    row('groups', withLeftOut(settings['proxy-groups'].length, group)),
    row('rules', withLeftOut(settings.rules.length, rule)),
    row('source', name),
    ...(source.type === 'subscription' ? infoRows(source.info, date) : []),
    row('stored', file),
  ]);
}

function withLeftOut(count: number, leftOut: Tally): string {
  const { count: others } = leftOut;
  if (others === 0) return String(count);
  return say(`${count} (${others} not imported)`, `${count}（${others} 条未导入）`);
}

function infoRows(info: SubscriptionInfo, date: Date): string[][] {
  const { upload, download, total, expire, updateInterval, name } = info;
  const isUsed = upload !== undefined || download !== undefined;
  const used = formatBytes((upload ?? 0) + (download ?? 0));
  const all = total === undefined ? '' : formatBytes(total);
  const traffic = all === '' ? used : say(`${used} of ${all}`, `已用 ${used}，共 ${all}`);
  return [
    ...(name === undefined ? [] : [row('name', name)]),
    ...(isUsed || total !== undefined ? [row('traffic', traffic)] : []),
    ...(expire === undefined ? [] : [row('expires', expiry(expire, date))]),
    ...(updateInterval === undefined
      ? []
      : [row('update', say(`every ${updateInterval} h`, `每 ${updateInterval} 小时`))]),
  ];
}

/** Formats a date with the days that are left, in UTC. */
function expiry(seconds: number, now: Date): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return say('never', '永不');
  const days = Math.floor((date.getTime() - now.getTime()) / 86_400_000);
  const rest =
    days < 0
      ? say('expired', '已到期')
      : say(days === 1 ? 'in 1 day' : `in ${days} days`, `还剩 ${days} 天`);
  return `${date.toISOString().slice(0, 10)}${say(` (${rest})`, `（${rest}）`)}`;
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
  const count = proxies.length;
  return [
    row('proxies', say(`${count} (${types.join(', ')})`, `${count}（${types.join('、')}）`)),
    ...(proxy.count > 0 ? [row('leftOut', reasonsLine(proxy))] : []),
    ...(setting.count > 0 ? [row('settings', reasonsLine(setting))] : []),
    ...(report.ignored.count > 0 ? [row('ignored', reasonsLine(report.ignored))] : []),
    ...(insecure > 0 ? [row('warning', unchecked(insecure, count))] : []),
  ];
}

function unchecked(insecure: number, count: number): string {
  return say(
    `certificate not checked: ${insecure} of ${count} proxies`,
    `${count} 个节点中有 ${insecure} 个不检查证书`,
  );
}

/** Formats `41: 20 × key ech, 9 × network: xhttp`. */
function reasonsLine(tally: Tally): string {
  const reasons = tally.reasons(currentLanguage());
  const shown = reasons.slice(0, maxReasons);
  const rest = tally.count - shown.reduce((sum, [, count]) => sum + count, 0);
  const parts = shown.map(([reason, count]) => `${count} × ${reason}`);
  if (rest > 0) {
    parts.push(say(`${rest} × other reasons (--details)`, `${rest} × 其他原因（--details）`));
  }
  return say(`${tally.count}: ${parts.join(', ')}`, `${tally.count}：${parts.join('，')}`);
}

/** Prints everything that was left out or ignored, with its lines. */
export function writeDetails(stderr: NodeJS.WritableStream, report: Report): void {
  const { proxy, group, rule, setting } = report.leftOut;
  writeList(stderr, say('Left out:', '跳过：'), [proxy]);
  const others = say('Groups and rules that are not imported:', '未导入的策略组和规则：');
  writeList(stderr, others, [group, rule]);
  writeList(stderr, say('Settings that are not imported:', '未导入的设置：'), [setting]);
  writeList(stderr, say('Ignored or changed:', '忽略或修改：'), [report.ignored]);
}

function writeList(stderr: NodeJS.WritableStream, title: string, tallies: readonly Tally[]): void {
  const details = inWords(byPosition(tallies.flatMap((tally) => tally.details)));
  const rest = tallies.reduce((sum, { count }) => sum + count, 0) - details.length;
  if (details.length === 0) return;
  const more = rest > 0 ? [say(`  … and ${rest} more`, `  … 另有 ${rest} 条`)] : [];
  stderr.write(`${[title, ...formatProblems(details), ...more].join('\n')}\n`);
}
