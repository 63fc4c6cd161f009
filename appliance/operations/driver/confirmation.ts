import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { announceUndone } from '../../server/host/undo/notice.ts';
import { armUndo, unconfirmed } from '../../server/host/undo/undo.ts';
import type { Transaction } from '../../server/records/transaction.ts';
import { savedFolder } from '../transactions/saved-files.ts';

const change = {
  name: 'site',
  subject: { en: 'the change of the site', zh: '站点的更改' },
} as const;
/** Seconds. */
const confirmWithin = 600;

/** Exists once the time is over, or after a reboot. */
function overFile(id: string): string {
  return `${savedFolder(id)}/unconfirmed`;
}

/**
 * Arms an undo that ends the transaction instead of reverting files: its rollback does that. A reboot
 * counts as no confirmation (decision 11).
 */
export async function askToConfirm(host: Host, { id }: Pick<Transaction, 'id'>): Promise<void> {
  const script = `: >${host.path(overFile(id))} || failed=yes\n`;
  await armUndo(host, { ...change, script, seconds: confirmWithin, undoneLater: true });
}

/** Says that an unconfirmed change was undone, once the earlier site is back. */
export async function sayUndone(
  host: Host,
  { id, state }: Pick<Transaction, 'id' | 'state'>,
): Promise<void> {
  const isOver = (await readText(host, overFile(id))) !== undefined;
  if (isOver && state === 'rolled-back') await announceUndone(host, change);
}

const pauseMs = 500;

/**
 * Waits until \`landfall confirm\` was run in a new login.
 * @throws LandfallError UNCONFIRMED
 */
export async function awaitConfirmation(
  host: Host,
  { id }: Pick<Transaction, 'id'>,
): Promise<void> {
  // A full disk can keep the script from saying that the time is over.
  const end = performance.now() + (confirmWithin + 60) * 1000;
  for (;;) {
    const isOpen = (await unconfirmed(host)).includes(change.name);
    const isOver = (await readText(host, overFile(id))) !== undefined;
    if (!isOpen && !isOver) return;
    if (isOver || performance.now() > end) {
      throw new LandfallError(
        'UNCONFIRMED',
        inLanguage({ en: 'no new login has confirmed the change', zh: '没有新的登录确认更改' }),
        {
          hint: {
            en: 'Apply it again, log in again over SSH, and run `sudo landfall confirm` there.',
            zh: '重新执行更改，再次通过 SSH 登录，并在那里运行 `sudo landfall confirm`。',
          },
        },
      );
    }
    await sleep(pauseMs);
  }
}
