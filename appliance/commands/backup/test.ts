import { targetText } from '#contract/site/backup/targets.ts';
import { inLanguage } from '#contract/text/language.ts';
import { testTarget } from '../../operations/backup/test-restore.ts';
import { takeRunLock, waitForRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import { preparedTargets, storedBackups, type TargetResult } from '../../server/records/backups.ts';
import { watchServer } from '../watch.ts';
import { failIfAny, type RunFlags, runTimeout } from './run.ts';

const say = (en: string, zh: string) => console.log(inLanguage({ en, zh }));

/**
 * Restores the last backup of each target into a scratch folder, and checks it.
 * @throws LandfallError BACKUP_TEST_FAILED with the reason of each target that failed; DISK_FULL
 */
export async function testTargets(facts: Facts, { scheduled = false }: RunFlags): Promise<void> {
  const { host, site } = facts;
  const { targets: states } = await storedBackups.read(host);
  const hasBackup = (name: string) => !scheduled || Boolean(states[name]?.lastGood);
  if (scheduled && !Object.keys(states).some(hasBackup)) {
    return say('There is no backup to test yet.', '还没有可以测试的备份。');
  }
  const isTaken = scheduled && (await waitForRunLock(host, 'backup', runTimeout));
  if (!isTaken) await takeRunLock(host, 'backup');
  const results: TargetResult[] = [];
  for (const target of await preparedTargets(host, site)) {
    const name = targetText(target);
    if (!hasBackup(name)) continue;
    say(`restoring the last backup of ${name}`, `正在恢复 ${name} 的上次备份`);
    results.push(await testTarget(facts, target));
  }
  await watchServer(host, site);
  failIfAny(results, 'BACKUP_TEST_FAILED');
  const names = results.map(({ target }) => target).join(', ');
  say(`The backups can be restored from ${names}.`, `备份可以恢复：${names}。`);
}
