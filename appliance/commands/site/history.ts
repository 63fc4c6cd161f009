import { siteDifferences } from '#contract/site/brief-site.ts';
import { siteSchema } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Facts } from '../../load-facts.ts';
import { earlierSites } from '../../transaction/stored-sites.ts';

/** Prints when the site was changed and which fields, the newest change first. */
export async function showHistory({ host, site }: Pick<Facts, 'host' | 'site'>): Promise<void> {
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  const sites = await earlierSites(host);
  if (sites.length === 0)
    return console.log(say('The site was not changed yet.', '站点还没有更改过。'));
  const rows: string[][] = [];
  let after = site;
  for (const { at, author, json } of sites) {
    const before = parseJson(json);
    const fields = siteDifferences(before, after).map(({ field }) => field);
    rows.push([formatTime(new Date(at)), author, fields.join(', ') || say('nothing', '无')]);
    const parsed = siteSchema.safeParse(before);
    // Of another release.
    if (!parsed.success) break;
    after = parsed.data;
  }
  console.log(
    formatTable([[say('changed', '更改时间'), say('by', '用户'), say('fields', '字段')], ...rows]),
  );
}
