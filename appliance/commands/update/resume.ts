import { LandfallError } from '#contract/errors.ts';
import { takeRunLock } from '../../host/lock/run-lock.ts';
import type { Facts } from '../../load-facts.ts';
import { startDriver } from '../../transaction/driver-unit.ts';
import { beginEvents } from '../../transaction/events.ts';
import { folderOf } from '../../update/download/release-folder.ts';
import { isApplying, readTransaction, writeTransaction } from '../../update/transaction.ts';
import { followUpdate } from './follow.ts';

/**
 * Continues a rollback that is stuck, from where it was, or follows an update that is running.
 * @throws LandfallError UPDATE_FAILED when the rollback ends, STATE_INVALID if there is none, ALREADY_RUNNING
 */
export async function resumeUpdate({ host, release }: Facts): Promise<void> {
  const open = await readTransaction(host);
  if (!open || !isApplying(open)) {
    throw new LandfallError('STATE_INVALID', 'no update is stuck', {
      hint: 'Run `sudo landfall update status`.',
    });
  }
  if (open.state !== 'stuck') return await followUpdate(host, open);
  const lock = await takeRunLock(host, 'update');
  const since = new Date().toISOString();
  const resumed = { ...open, state: 'rolling-back', attempt: 0, since } as const;
  await writeTransaction(host, resumed);
  await beginEvents(host);
  await lock.release();
  await startDriver(host, host.path(folderOf({ version: open.from, arch: release.arch })));
  await followUpdate(host, resumed);
}
