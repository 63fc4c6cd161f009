import { targetText } from '#contract/site/backup/targets.ts';
import { formatDuration } from '#contract/text/duration.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readBackupState, type TargetState } from '../../../server/records/backups.ts';
import { maxAge } from '../../backup/troubles.ts';
import { type Finding, siteCheck } from '../finding.ts';

/** A monthly restore test that is later than this did not run. Milliseconds. */
const maxTestAge = 40 * 24 * 3600 * 1000;

/** Reports a site whose backups are not set up, whose password may be on this server alone, are old or cannot be restored. */
export const backupCheck = siteCheck({ name: 'backup', root: true }, async ({ host, site }) => {
  const targets = site.backup?.to ?? [];
  if (targets.length === 0) return [];
  const state = await readBackupState(host);
  const findings = targets.map(targetText).flatMap((name): Finding[] => {
    const found = state.targets[name];
    if (!found) {
      const text = {
        en: `${name} is a target of backups in the site, but it is not set up`,
        zh: `站点把 ${name} 设为备份位置，但它没有初始化`,
      };
      return [{ code: 'BACKUP_MISSING', subject: name, text }];
    }
    const tests = testFindings(name, found);
    const last = found.lastGood?.at;
    const age = Date.now() - Date.parse(last ?? found.created);
    if (age < maxAge) return tests;
    const text = last
      ? {
          en: `the last backup at ${name} is ${formatDuration(age)} old`,
          zh: `${name} 的上一次备份是 ${formatDuration(age)} 之前`,
        }
      : { en: `there is no backup at ${name} yet`, zh: `${name} 还没有备份` };
    const failure = found.lastRun?.failure;
    return [
      { code: 'BACKUP_OLD', subject: name, text, ...(failure && { details: [failure.message] }) },
      ...tests,
    ];
  });
  if (state.isConfirmed || Object.keys(state.targets).length === 0) return findings;
  const text = {
    en: 'the password of the backups is not confirmed: it may be on this server alone',
    zh: '备份密码没有确认，可能只保存在这台服务器上',
  };
  return [{ code: 'BACKUP_KEY_UNCONFIRMED', subject: 'backup', text }, ...findings];
});

const noRun = { en: 'the monthly timer did not run', zh: '每月的定时器没有运行' };

function testFindings(name: string, { created, lastGood, lastTest }: TargetState): Finding[] {
  const finding = { code: 'BACKUP_TEST_FAILED', subject: name } as const;
  if (lastTest?.failure) {
    const text = {
      en: `the last restore test of ${name} failed`,
      zh: `${name} 的上一次恢复测试失败`,
    };
    return [{ ...finding, text, details: [lastTest.failure.message] }];
  }
  const age = Date.now() - Date.parse(lastTest?.at ?? created);
  if (!lastGood || age < maxTestAge) return [];
  const days = Math.floor(age / 86_400_000);
  const text = {
    en: `${name} had no restore test for ${days} days`,
    zh: `${name} 已有 ${days} 天没有测试恢复`,
  };
  return [{ ...finding, text, details: [inLanguage(noRun)] }];
}
