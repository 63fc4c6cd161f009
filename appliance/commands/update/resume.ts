import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { startDriver } from '../../operations/transactions/units.ts';
import { folderOf } from '../../operations/update/download/release-folder.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import {
  isApplying,
  storedTransaction,
  type Transaction,
} from '../../server/records/transaction.ts';
import { askFor } from '../ask-yes.ts';
import { followUpdate } from './follow.ts';

export interface ResumeFlags {
  /** Whether the copy of the chats is given up: the data stay as they are. */
  readonly withoutCopy?: boolean;
  readonly yes?: boolean;
}

/**
 * Continues a rollback that is stuck, from where it was, or follows an update that is running.
 * @throws LandfallError UPDATE_FAILED when the rollback ends, STATE_INVALID if there is none, ALREADY_RUNNING,
 *   USAGE without a terminal to ask on
 */
export async function resumeUpdate(
  { host, release }: Facts,
  { withoutCopy = false, yes = false }: ResumeFlags,
): Promise<void> {
  const open = await storedTransaction.read(host);
  if (!open || !isApplying(open)) {
    throw new LandfallError(
      'STATE_INVALID',
      inLanguage({ en: 'no update is stuck', zh: '没有卡住的更新' }),
      {
        hint: {
          en: 'Run `sudo landfall update status`.',
          zh: '运行 `sudo landfall update status`。',
        },
      },
    );
  }
  if (open.state !== 'stuck') return await followUpdate(host, open);
  if (withoutCopy && !yes && !(await agrees(open))) {
    return console.log(inLanguage({ en: 'Nothing was changed.', zh: '未做任何更改。' }));
  }
  const lock = await takeRunLock(host, 'update');
  const resumed = resumedFrom(open, withoutCopy);
  await storedTransaction.write(host, resumed);
  const folder = folderOf({ version: open.from, arch: release.arch });
  await startDriver(host, host.path(folder), lock);
  await followUpdate(host, resumed);
}

/** Returns a stuck rollback as one that goes on. */
export function resumedFrom(open: Transaction, withoutCopy: boolean): Transaction {
  const since = new Date().toISOString();
  const resumed = { ...open, state: 'rolling-back', attempt: 0, since } as const;
  if (!withoutCopy || !open.plan) return resumed;
  return { ...resumed, copied: false, plan: { ...open.plan, keepsPrevious: false } };
}

async function agrees({ from, to }: Transaction): Promise<boolean> {
  const text = {
    en: `The copy of the chats will be deleted. ${from} starts if it can read the chats as they are; otherwise ${to} stays.`,
    zh: `对话的副本将被删除。如果 ${from} 能读取现有的对话数据，就启动 ${from}；否则保留 ${to}。`,
  };
  console.log(inLanguage(text));
  const question = {
    en: 'Type "yes" to go on without it: ',
    zh: '输入 yes 以在没有副本的情况下继续：',
  };
  return await askFor('yes', inLanguage(question), '--yes');
}
