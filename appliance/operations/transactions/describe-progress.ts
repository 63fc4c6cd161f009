import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { translated } from '#contract/text/translated.ts';
import type { Transaction } from '../../server/records/transaction.ts';
import type { EndedUpdate } from './history.ts';
import { kinds, nameOfState } from './kinds.ts';

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
  const to = inLanguage(kinds[kind].name(version));
  const time = formatTime(new Date(at));
  const why = plainLine(translated(reason?.message ?? ''), 1000);
  const text = { en: `${to} on ${time}: ${why}`, zh: `${to}（${time}）：${why}` };
  return [...rows, [inLanguage({ en: 'rolled back', zh: '已恢复旧版本' }), inLanguage(text)]];
}

function transactionRows(open: Transaction): string[][] {
  const { kind, to: version, state, since, reason, pass } = open;
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  const to = inLanguage(kinds[kind].name(version));
  const downloaded = say('downloaded', '已下载');
  if (state === 'downloading') return [[downloaded, say(`${to}, in part`, `${to}（未完成）`)]];
  if (state === 'staged') return [[downloaded, say(`${to}, complete`, `${to}（已完成）`)]];
  const time = formatTime(new Date(since));
  const why = reason ? [[say('reason', '原因'), plainLine(translated(reason.message), 1000)]] : [];
  if (state === 'stuck') {
    const closed = pass === null ? '' : say('; the chat is closed', '；对话已关闭');
    return [
      [
        say('stuck', '已停住'),
        say(
          `${to}: rollback stopped on ${time}; nothing was deleted${closed}`,
          `${to}：回滚于 ${time} 停住；没有删除任何数据${closed}`,
        ),
      ],
      ...why,
      ...(reason?.problems ?? []).map((text) => [say('problem', '问题'), plainLine(text, 1000)]),
      [say('next', '下一步'), 'sudo landfall doctor; sudo landfall update resume'],
    ];
  }
  return [
    [
      say('in progress', '进行中'),
      say(`${to}: ${state} since ${time}`, `${to}：${nameOfState(state).zh}，自 ${time}`),
    ],
    ...why,
  ];
}
