import { targetText } from '#contract/site/backup/targets.ts';
import { formatDuration } from '#contract/text/duration.ts';
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
      const text = `${name} is a target of backups in the site, but it is not set up`;
      return [{ code: 'BACKUP_MISSING', subject: name, text }];
    }
    const tests = testFindings(name, found);
    const last = found.lastGood?.at;
    const age = Date.now() - Date.parse(last ?? found.created);
    if (age < maxAge) return tests;
    const text = last
      ? `the last backup at ${name} is ${formatDuration(age)} old`
      : `there is no backup at ${name} yet`;
    const failure = found.lastRun?.failure;
    return [
      { code: 'BACKUP_OLD', subject: name, text, ...(failure && { details: [failure.message] }) },
      ...tests,
    ];
  });
  if (state.isConfirmed || Object.keys(state.targets).length === 0) return findings;
  const text = 'the password of the backups is not confirmed: it may be on this server alone';
  return [{ code: 'BACKUP_KEY_UNCONFIRMED', subject: 'backup', text }, ...findings];
});

function testFindings(name: string, { created, lastGood, lastTest }: TargetState): Finding[] {
  const finding = { code: 'BACKUP_TEST_FAILED', subject: name } as const;
  if (lastTest?.failure) {
    const text = `the last restore test of ${name} failed`;
    return [{ ...finding, text, details: [lastTest.failure.message] }];
  }
  const age = Date.now() - Date.parse(lastTest?.at ?? created);
  if (!lastGood || age < maxTestAge) return [];
  const text = `${name} had no restore test for ${Math.floor(age / 86_400_000)} days`;
  return [{ ...finding, text, details: ['the monthly timer did not run'] }];
}
