import { happenedWithin } from '#contract/clock.ts';
import { targetText } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Trouble } from '../../server/alerts/troubles.ts';
import type { BackupState, TargetState } from '../../server/records/backups.ts';
import { unusualGrowth } from './growth.ts';

/** A daily backup that is later than this has failed or did not run. Milliseconds. */
export const maxAge = 26 * 3600 * 1000;

/** A target has space again at this multiple of the limit, so that alerts do not repeat. */
const recovered = 1.25;

/**
 * Returns what is wrong with the backups of a site.
 * @param known IDs of the troubles that were announced
 * @param minShare share of a target's file system that must be free, 0 to 1
 */
export function backupTroubles(
  { backup, language }: Pick<Site, 'backup' | 'language'>,
  { targets }: BackupState,
  known: ReadonlySet<string>,
  minShare: number,
  now = Date.now(),
): Trouble[] {
  return (backup?.to ?? []).map(targetText).flatMap((name): Trouble[] => {
    const state = targets[name];
    if (!state) return [];
    const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
    const idOf = (what: string) => `backup ${what} ${name}`;
    const command = 'sudo landfall backup status';
    const failures = [
      ['run', state.lastRun, say(`backup to ${name}`, `备份到 ${name}`)],
      ['check', state.lastCheck, say(`check of the backups at ${name}`, `${name} 的备份检查`)],
      ['test', state.lastTest, say(`restore test of ${name}`, `${name} 的恢复测试`)],
    ] as const;
    const failed = failures.flatMap(([what, run, subject]): Trouble[] => {
      if (!run?.failure) return [];
      return [{ id: idOf(what), state: 'failed', subject, detail: run.failure.message, command }];
    });
    const isLate = !happenedWithin(maxAge, Date.parse(state.lastGood?.at ?? state.created), now);
    // A run that fails is announced already.
    const isSilent = isLate && (!state.lastRun?.failure || known.has(idOf('late')));
    const late: Trouble = {
      ...{ id: idOf('late'), state: 'failed', command },
      subject: say(`daily backup to ${name}`, `每日备份到 ${name}`),
      detail: say('no backup succeeded for 26 hours', '已有 26 小时没有成功的备份'),
    };
    const growth = growthOf(state);
    const grown = growth && {
      ...{ id: idOf('growth'), state: 'notice' as const, command },
      subject: say(
        `the backup at ${name} grew from ${growth.from} to ${growth.to} within a week`,
        `${name} 的备份一周内从 ${growth.from} 增长到 ${growth.to}`,
      ),
    };
    const space = lowSpace(state, minShare, known.has(idOf('space')) ? recovered : 1);
    const full = space && {
      ...{ id: idOf('space'), state: 'notice' as const, command },
      subject: say(`${name} is nearly full: ${space} free`, `${name} 空间将满：剩余 ${space}`),
      over: say(`${name} has space again`, `${name} 已有足够空间`),
    };
    return [...failed, ...(isSilent ? [late] : []), ...[grown, full].filter((each) => !!each)];
  });
}

function growthOf({ sizes, lastGood }: TargetState) {
  const growth = lastGood && unusualGrowth(sizes, lastGood);
  return growth && { from: formatBytes(growth.from), to: formatBytes(growth.to) };
}

/** Returns the free space of a target if it is low: less than the share, or than a backup would take alone. */
function lowSpace(
  { space, lastGood }: TargetState,
  minShare: number,
  multiple: number,
): string | undefined {
  if (!space) return undefined;
  const limit = multiple * Math.max(minShare * space.size, lastGood?.total ?? 0);
  return space.free < limit ? formatBytes(space.free) : undefined;
}
