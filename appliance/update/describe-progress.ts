import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { EndedUpdate } from './history.ts';
import type { Transaction } from './transaction.ts';

/**
 * Returns what is downloaded or in progress, and why the last update was rolled back.
 * @param last the update that ended last
 */
export function progressRows(
  open: Transaction | undefined,
  last: EndedUpdate | undefined,
): string[][] {
  const rows = open ? transactionRows(open) : [];
  if (last?.outcome !== 'rolled-back') return rows;
  const { kind, to: version, at, reason } = last;
  const to = nameOf(kind, version);
  const time = formatTime(new Date(at));
  const why = plainLine(reason?.message ?? '', 1000);
  const text = { en: `${to} on ${time}: ${why}`, zh: `${to}（${time}）：${why}` };
  return [...rows, [inLanguage({ en: 'rolled back', zh: '已恢复旧版本' }), inLanguage(text)]];
}

function nameOf(kind: Transaction['kind'], version: string): string {
  if (kind === 'restore') return inLanguage({ en: 'restore of a backup', zh: '恢复备份' });
  return kind === 'site' ? inLanguage({ en: 'change of the site', zh: '更改站点' }) : version;
}

function transactionRows({ kind, to: version, state, since, reason }: Transaction): string[][] {
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  const to = nameOf(kind, version);
  const downloaded = say('downloaded', '已下载');
  if (state === 'downloading') return [[downloaded, say(`${to}, in part`, `${to}（未完成）`)]];
  if (state === 'staged') return [[downloaded, say(`${to}, complete`, `${to}（已完成）`)]];
  const time = formatTime(new Date(since));
  return [
    [
      say('in progress', '进行中'),
      say(`${to}: ${state} since ${time}`, `${to}：${state}，自 ${time}`),
    ],
    ...(reason ? [[say('reason', '原因'), plainLine(reason.message, 1000)]] : []),
  ];
}
