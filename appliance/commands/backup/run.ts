import { type ErrorCode, LandfallError, type Problem } from '#contract/errors.ts';
import { targetText } from '#contract/site/backup/targets.ts';
import { inLanguage } from '#contract/text/language.ts';
import { Restic } from '../../operations/backup/restic.ts';
import { runBackup } from '../../operations/backup/run-backup.ts';
import { updateRuns } from '../../operations/update/download/stage-release.ts';
import { takeChangeLock, takeRunLock, waitForRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import {
  preparedTargets,
  recordAt,
  storedBackups,
  type TargetResult,
  takeOverBackups,
} from '../../server/records/backups.ts';
import { storedTransaction } from '../../server/records/transaction.ts';
import { watchServer } from '../watch.ts';

export interface RunFlags {
  readonly scheduled?: boolean;
  /** Says that the server whose backups this one was restored from is stopped for good. */
  readonly takeOver?: boolean;
}

/**
 * Timeout of a timer for a backup or a restore test: systemd starts both timers when a server is up that was
 * off. Milliseconds.
 */
export const runTimeout = 5 * 3600_000;
/** Timeout of the timer's run for another command, such as an update. Milliseconds. */
const changeTimeout = 60 * 60_000;

/**
 * Makes a backup at every target that is set up.
 * @throws LandfallError BACKUP_FAILED with the reason of each target that failed; STATE_INVALID while a rollback
 *   is stuck before the chats are back
 */
export async function makeBackup(
  facts: Facts,
  { scheduled = false, takeOver = false }: RunFlags,
): Promise<void> {
  const { host, site } = facts;
  if (takeOver) await takeOverBackups(host);
  const { targets } = await storedBackups.read(host);
  if (scheduled && Object.keys(targets).length === 0) {
    const text = { en: 'Backups are not set up yet.', zh: '尚未设置备份。' };
    return console.log(inLanguage(text));
  }
  if (scheduled && !(await waitForRunLock(host, 'backup', runTimeout))) return;
  if (!scheduled) await takeRunLock(host, 'backup');
  const say = (line: string) => console.log(line);
  const changes = await takeChangeLock(host, say, scheduled ? changeTimeout : undefined);
  const open = await storedTransaction.read(host);
  // Data, secrets and release may not belong together, and a backup of them removes an older one.
  if (open?.state === 'stuck' && !open.restored) throw updateRuns(open);
  const results = await runBackup({ ...facts, say }, changes);
  await watchServer(host, site);
  failIfAny(results);
  const names = results.map(({ target }) => target).join(', ');
  console.log(inLanguage({ en: `The backup is stored at ${names}.`, zh: `备份已存到 ${names}。` }));
}

/**
 * Checks the structure of each repository, and 2 % of its data.
 * @throws LandfallError BACKUP_FAILED with the reason of each target that failed
 */
export async function checkTargets({ host, site }: Facts): Promise<void> {
  await takeRunLock(host, 'backup');
  const results: TargetResult[] = [];
  for (const target of await preparedTargets(host, site)) {
    const name = targetText(target);
    console.log(inLanguage({ en: `checking ${name}`, zh: `正在检查 ${name}` }));
    const check = async () => {
      const restic = await Restic.at({ host, site }, target);
      await restic.unlock();
      await restic.run(['check', '--read-data-subset=2%'], { seconds: 4 * 3600 });
    };
    results.push(await recordAt(host, name, check, (lastCheck) => ({ lastCheck })));
  }
  await watchServer(host, site);
  failIfAny(results);
  console.log(inLanguage({ en: 'No damage was found.', zh: '没有发现损坏。' }));
}

/** Throws the failures. A single one keeps its code and its hint. @throws LandfallError */
export function failIfAny(
  results: readonly TargetResult[],
  code: ErrorCode = 'BACKUP_FAILED',
): void {
  const failures = results.flatMap(({ failure }) => failure ?? []);
  const [first, ...others] = failures;
  if (!first) return;
  if (others.length === 0) throw first;
  const problems = failures.flatMap(({ message, hint, problems: details }): Problem[] => [
    { message, ...(hint && { hint }) },
    ...details,
  ]);
  throw new LandfallError(code, `${failures.length} targets failed`, { problems });
}
