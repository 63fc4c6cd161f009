import type { Site } from '#contract/site/site.ts';
import { alertProblems, targetStates } from '../../server/alerts/describe-alerts.ts';
import type { Host } from '../../server/host/host.ts';
import { describeLowDisk, lowDisks } from '../../server/host/low-disks.ts';
import type { Warning } from '../../server/stage/reporter.ts';
import { updateReport } from './stored-report.ts';

/**
 * Updates the warnings about alert targets in the report, and others that a check found.
 * @param change maps the other warnings
 */
export async function updateAlertWarnings(
  host: Host,
  site: Pick<Site, 'alerts' | 'language'>,
  change: (before: readonly Warning[]) => readonly Warning[] = (before) => before,
): Promise<void> {
  const current = await alertWarnings(host, site);
  await updateReport(host, {}, (before) => [
    ...change(before).filter(({ kind }) => kind !== 'alert'),
    ...current,
  ]);
}

/** Returns a warning for each file system that is low on space, in the language of the site. */
export async function diskWarnings(host: Host, { language }: Pick<Site, 'language'>) {
  return (await lowDisks(host)).map(
    (disk): Warning => ({
      ...{ kind: 'disk-low', subject: disk.folder },
      text: `${describeLowDisk(disk, language ?? 'en')}; sudo landfall doctor`,
    }),
  );
}

/**
 * Returns a warning for each target that waits for its secret, or whose last message failed, in
 * the language of the site, because the report is stored.
 */
export async function alertWarnings(
  host: Host,
  site: Pick<Site, 'alerts' | 'language'>,
): Promise<Warning[]> {
  const problems = alertProblems(await targetStates(host, site), site.language ?? 'en');
  return problems.map(({ target, text }) => ({ kind: 'alert', subject: target, text }));
}
