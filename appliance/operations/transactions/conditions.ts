import type { Condition } from '../../server/conditions/condition.ts';
import type { Transaction } from '../../server/records/transaction.ts';
import { kinds, nameOfState } from './kinds.ts';

/** Returns what the administrator must know about a transaction that is not over. */
export function transactionCondition({
  kind,
  to,
  state,
  pass = null,
}: Pick<Transaction, 'kind' | 'to' | 'state'> & Partial<Pick<Transaction, 'pass'>>): Condition {
  if (state === 'stuck') {
    const name = kinds[kind].name(to);
    const { en, zh } =
      kind === 'update'
        ? { en: `the rollback of ${to}`, zh: `${to} 的回滚` }
        : { en: `${name.en}: the rollback`, zh: `${name.zh}：回滚` };
    const isClosed = pass !== null;
    return {
      ...{ topic: 'update stuck', subject: to, severity: 'broken' },
      what: {
        en: `${en} is stuck; nothing was deleted${isClosed ? '; the chat is closed' : ''}`,
        zh: `${zh}已停住；没有删除任何数据${isClosed ? '；对话已关闭' : ''}`,
      },
      command: 'sudo landfall update resume',
    };
  }
  const { topic } = kinds[kind];
  if (state === 'confirming') {
    const what = { en: 'a change waits for its confirmation', zh: '更改等待确认' };
    return { topic, severity: 'attention', what, command: 'sudo landfall confirm' };
  }
  const { en, zh } = kinds[kind].now(to);
  const what = { en: `${en} (${state})`, zh: `${zh}（${nameOfState(state).zh}）` };
  return { topic, severity: 'note', what, command: 'sudo landfall update status' };
}
