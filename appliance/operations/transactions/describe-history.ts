import { formatDuration } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { EndedUpdate } from './history.ts';
import { kinds } from './kinds.ts';

/** Formats the updates of a server as a table, the newest first. */
export function describeHistory(updates: readonly EndedUpdate[]): string {
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  if (updates.length === 0) return say('There was no update yet.', '还没有更新过。');
  const heads = [
    say('ended', '结束时间'),
    say('from', '原版本'),
    say('to', '新版本'),
    say('result', '结果'),
    say('closed for', '关闭时长'),
  ];
  const rows = updates
    .toReversed()
    .map(({ kind, at, from, to, outcome, closed, reason }) => [
      ...[formatTime(new Date(at)), from, to],
      outcome === 'committed' && reason
        ? say('failed, stays', '失败，仍保留')
        : resultOf(kind, outcome),
      closed === null ? say('stayed open', '未关闭') : formatDuration(closed),
    ]);
  const reasons = updates
    .toReversed()
    .flatMap(({ to, reason }) => (reason ? [plainLine(`${to}: ${reason.message}`, 1000)] : []));
  return [formatTable([heads, ...rows]), ...(reasons.length > 0 ? ['', ...reasons] : [])].join(
    '\n',
  );
}

function resultOf(kind: EndedUpdate['kind'], outcome: EndedUpdate['outcome']): string {
  const { result } = kinds[kind];
  return inLanguage(outcome === 'rolled-back' ? { en: 'rolled back', zh: '已恢复' } : result);
}
