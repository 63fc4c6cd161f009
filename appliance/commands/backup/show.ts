import { targetText } from '#contract/site/backup/targets.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { translated } from '#contract/text/translated.ts';
import { Restic } from '../../operations/backup/restic.ts';
import { listSnapshots, type Snapshot } from '../../operations/backup/snapshots.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import { preparedTargets, storedBackups, type TargetState } from '../../server/records/backups.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** Prints the last backup at each target. */
export async function showStatus({ host, site }: Facts, json = false): Promise<void> {
  const state = await storedBackups.read(host);
  const { isConfirmed } = state;
  const targets = (site.backup?.to ?? []).map((target) => {
    const name = targetText(target);
    return { name, state: state.targets[name] ?? null };
  });
  if (json) {
    const rows = targets.map(({ name, state: found }) => ({ target: name, ...found }));
    return console.log(JSON.stringify({ isConfirmed, targets: rows }, null, 2));
  }
  if (targets.length === 0) {
    return console.log(
      say(
        'There are no backups: the site has no `backup`. See backup.md of the documentation.',
        '没有备份：站点没有设置 `backup`。见 Landfall 文档 backup.md。',
      ),
    );
  }
  const heads = [
    say('target', '位置'),
    say('last backup', '上次备份'),
    say('size', '大小'),
    say('last run', '上次运行'),
    say('last restore test', '上次恢复测试'),
  ];
  const rows = targets.map(({ name, state: found }) => [
    name,
    // A run counts when the password is not on this server alone.
    !isConfirmed || !found?.lastGood ? say('no backup yet', '还没有备份') : time(found.lastGood.at),
    found?.lastGood ? formatBytes(found.lastGood.total) : '',
    lastRunText(found),
    lastTestText(found),
  ]);
  console.log(formatTable([heads, ...rows]));
  if (Object.keys(state.targets).length === 0 || !isConfirmed) {
    console.log(
      say(
        '\nFinish the setup: sudo landfall backup init',
        '\n请完成设置：sudo landfall backup init',
      ),
    );
  }
}

function lastRunText(state: TargetState | null): string {
  if (!state) return say('not set up', '未设置');
  const { lastRun } = state;
  if (!lastRun) return say('none', '无');
  return lastRun.failure ? translated(lastRun.failure.message) : say('succeeded', '成功');
}

function lastTestText(state: TargetState | null): string {
  const test = state?.lastTest;
  if (!test) return say('none', '无');
  return test.failure ? translated(test.failure.message) : time(test.at);
}

const time = (iso: string) => formatTime(new Date(iso));

/** Prints the backups at each target, the newest first. @throws LandfallError BACKUP_… */
export async function showSnapshots({ host, site }: Facts, json = false): Promise<void> {
  // restic has one unit and one environment file: a second one would end the first.
  await takeRunLock(host, 'backup');
  const found: { target: string; snapshots: Snapshot[] }[] = [];
  for (const target of await preparedTargets(host, site)) {
    const restic = await Restic.at({ host, site }, target);
    found.push({ target: restic.name, snapshots: await listSnapshots(restic) });
  }
  if (json) return console.log(JSON.stringify({ targets: found }, null, 2));
  const heads = [
    say('backup', '备份'),
    say('time', '时间'),
    say('release', '版本'),
    say('server', '服务器'),
  ];
  for (const { target, snapshots } of found) {
    const rows = snapshots.map(({ id, at, release, hostname }) => [
      id,
      time(at),
      release ?? '?',
      hostname,
    ]);
    console.log(`${target}\n${formatTable([heads, ...rows])}\n`);
  }
}
