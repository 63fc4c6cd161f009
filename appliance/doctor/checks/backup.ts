import { targetText } from '#contract/site/backup/targets.ts';
import { formatDuration } from '#contract/text/duration.ts';
import { readBackupState } from '../../backup/state.ts';
import { type Finding, siteCheck } from '../finding.ts';

/** A daily backup that is later than this has failed or did not run. Milliseconds. */
const maxAge = 26 * 3600 * 1000;

/** Reports a site whose backups are not set up, whose password may be on this server alone, or are old. */
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
    const last = found.lastGood?.at;
    const age = Date.now() - Date.parse(last ?? found.created);
    if (age < maxAge) return [];
    const text = last
      ? `the last backup at ${name} is ${formatDuration(age)} old`
      : `there is no backup at ${name} yet`;
    const failure = found.lastRun?.failure;
    return [
      { code: 'BACKUP_OLD', subject: name, text, ...(failure && { details: [failure.message] }) },
    ];
  });
  if (state.isConfirmed || Object.keys(state.targets).length === 0) return findings;
  const text = 'the password of the backups is not confirmed: it may be on this server alone';
  return [{ code: 'BACKUP_KEY_UNCONFIRMED', subject: 'backup', text }, ...findings];
});
