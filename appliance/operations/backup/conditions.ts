import { happenedWithin } from '#contract/clock.ts';
import { targetText } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { bilingual } from '#contract/text/translated.ts';
import {
  type Condition,
  failed,
  idOf,
  type Known,
  noneKnown,
} from '../../server/conditions/condition.ts';
import { diskLimits } from '../../server/conditions/disk.ts';
import type { Host } from '../../server/host/host.ts';
import { type BackupState, storedBackups, type TargetState } from '../../server/records/backups.ts';
import { unusualGrowth } from './growth.ts';

/** A daily backup that is later than this has failed or did not run. Milliseconds. */
const maxAge = 26 * 3600 * 1000;
/** A monthly restore test that is later than this did not run. Milliseconds. */
const maxTestAge = 40 * 24 * 3600 * 1000;
/** A target has space again at this multiple of the limit, so that alerts do not repeat. */
const recovered = 1.25;

type BackupTopic = Condition['topic'] & `backup ${string}`;

/** Returns what is wrong with the backups of a site: not set up, failed, late, not tested, too large. */
export async function backupConditions(
  host: Host,
  site: Pick<Site, 'backup'>,
  known = noneKnown,
): Promise<Condition[]> {
  const { share } = await diskLimits.read(host);
  return conditionsOf(site, await storedBackups.read(host), share, known);
}

/** @param minShare share of a target's file system that must be free, 0 to 1 */
export function conditionsOf(
  { backup }: Pick<Site, 'backup'>,
  { targets, isConfirmed }: BackupState,
  minShare: number,
  known = noneKnown,
  now = Date.now(),
): Condition[] {
  const names = (backup?.to ?? []).map(targetText);
  const isUnsafe = names.length > 0 && Object.keys(targets).length > 0 && !isConfirmed;
  return [
    ...(isUnsafe ? [unconfirmed] : []),
    ...names.flatMap((name) => {
      const state = targets[name];
      return state ? conditionsOfTarget(name, state, { minShare, known, now }) : [notSetUp(name)];
    }),
  ];
}

const notReady = { severity: 'note', command: 'sudo landfall backup init' } as const;

const unconfirmed: Condition = {
  ...{ topic: 'backup key', subject: 'backup', ...notReady },
  what: {
    en: 'the password of the backups is not confirmed: it may be on this server alone',
    zh: '备份密码没有确认，可能只保存在这台服务器上',
  },
};

function notSetUp(name: string): Condition {
  const what = {
    en: `${name} is a target of backups in the site, but it is not set up`,
    zh: `站点把 ${name} 设为备份位置，但它没有初始化`,
  };
  return { topic: 'backup setup', subject: name, what, ...notReady };
}

function conditionsOfTarget(
  name: string,
  state: TargetState,
  { minShare, known, now }: { minShare: number; known: Known; now: number },
): Condition[] {
  const { created, lastRun, lastGood, lastCheck, lastTest, sizes } = state;
  const on = (topic: BackupTopic) => {
    const command = 'sudo landfall backup status';
    return { topic, subject: name, severity: 'attention', command } as const;
  };
  const lost = (topic: BackupTopic, run: TargetState['lastRun'], en: string, zh: string) =>
    run?.failure ? [failed({ en, zh }, bilingual(run.failure.message), on(topic))] : [];
  const found: Condition[] = [
    ...lost('backup run', lastRun, `backup to ${name}`, `备份到 ${name}`),
    ...lost('backup check', lastCheck, `check of the backups at ${name}`, `${name} 的备份检查`),
    ...lost('backup test', lastTest, `restore test of ${name}`, `${name} 的恢复测试`),
  ];
  const late = on('backup late');
  // A run that fails is announced already.
  const isSilent = !lastRun?.failure || known.has(idOf(late));
  if (isSilent && !happenedWithin(maxAge, Date.parse(lastGood?.at ?? created), now)) {
    const why = { en: 'no backup succeeded for 26 hours', zh: '已有 26 小时没有成功的备份' };
    found.push(failed({ en: `daily backup to ${name}`, zh: `每日备份到 ${name}` }, why, late));
  }
  const untested = now - Date.parse(lastTest?.at ?? created);
  if (lastGood && !lastTest?.failure && untested >= maxTestAge) {
    const days = Math.floor(untested / 86_400_000);
    const en = `${name} had no restore test for ${days} days`;
    const zh = `${name} 已有 ${days} 天没有测试恢复`;
    found.push({ ...on('backup test'), severity: 'note', what: { en, zh } });
  }
  const growth = lastGood && unusualGrowth(sizes, lastGood);
  if (growth) {
    const [from, to] = [formatBytes(growth.from), formatBytes(growth.to)];
    const en = `the backup at ${name} grew from ${from} to ${to} within a week`;
    const zh = `${name} 的备份一周内从 ${from} 增长到 ${to}`;
    found.push({ ...on('backup growth'), what: { en, zh } });
  }
  const full = on('backup space');
  const free = lowSpace(state, minShare, known.has(idOf(full)) ? recovered : 1);
  if (free !== undefined) {
    const en = `${name} is nearly full: ${free} free`;
    const zh = `${name} 空间将满：剩余 ${free}`;
    const over = { en: `${name} has space again`, zh: `${name} 已有足够空间` };
    found.push({ ...full, what: { en, zh }, over });
  }
  return found;
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
