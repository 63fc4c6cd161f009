import { siteDifferences } from '#contract/site/brief-site.ts';
import { siteSchema } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { translated } from '#contract/text/translated.ts';
import { type EndedUpdate, readHistory } from '../../operations/transactions/history.ts';
import { changes } from '../../operations/transactions/kinds.ts';
import { earlierSites } from '../../operations/transactions/stored-sites.ts';
import type { Facts } from '../../server/load-facts.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** Prints when the site was changed and which fields, and which changes were undone, the newest first. */
export async function showHistory({ host, site }: Pick<Facts, 'host' | 'site'>): Promise<void> {
  const sites = await earlierSites(host);
  const undone = (await readHistory(host)).filter(wasUndone);
  if (sites.length + undone.length === 0)
    return console.log(say('The site was not changed yet.', '站点还没有更改过。'));
  const rows: HistoryRow[] = undone.slice(-maxUndone).map(undoneRow);
  let after = site;
  for (const { at, author, json } of sites) {
    const before = parseJson(json);
    const fields = siteDifferences(before, after).map(({ field }) => field);
    rows.push({ at, by: author, text: fields.join(', ') || say('nothing', '无') });
    const parsed = siteSchema.safeParse(before);
    // Of another release.
    if (!parsed.success) break;
    after = parsed.data;
  }
  const cells = rows
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .map(({ at, by, text }) => [formatTime(new Date(at)), by, text]);
  console.log(
    formatTable([[say('changed', '更改时间'), say('by', '用户'), say('fields', '字段')], ...cells]),
  );
}

interface HistoryRow {
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  readonly text: string;
}

const maxUndone = 10;

function wasUndone(ended: EndedUpdate): boolean {
  return changes('site', ended) && ended.outcome === 'rolled-back';
}

function undoneRow({ at, reason }: EndedUpdate): HistoryRow {
  const why =
    reason?.code === 'UNCONFIRMED'
      ? say('it was not confirmed', '未经确认')
      : translated(reason?.message ?? 'the reason is not known');
  return { at, by: '', text: say(`undone: ${why}`, `已撤销：${why}`) };
}
