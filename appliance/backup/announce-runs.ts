import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { deliverAlerts, queueAlerts } from '../alerts/queue.ts';
import type { Host } from '../host/host.ts';
import type { TargetResult } from './run-backup.ts';
import { changeTarget, readBackupState } from './state.ts';

/** Sends an alert for each target that begins to fail, and for each that works again, once. */
export async function announceRuns(
  host: Host,
  site: Site,
  results: readonly TargetResult[],
): Promise<void> {
  const { targets } = await readBackupState(host);
  const now = new Date().toISOString();
  for (const { target, failure } of results) {
    const since = targets[target]?.failingSince ?? null;
    if ((since === null) === (failure === undefined)) continue;
    await changeTarget(host, target, { failingSince: failure ? now : null });
    const text = { en: `backup to ${target}`, zh: `备份到 ${target}` };
    const alert = {
      subject: inLanguage(text, site.language).slice(0, 200),
      state: failure ? 'failed' : 'working',
      since: since ?? now,
      at: now,
      command: 'sudo landfall backup status',
      ...(failure && { detail: plainLine(failure.message, 200) }),
    } as const;
    await queueAlerts(host, site, [alert]);
  }
  await deliverAlerts(host, site);
}
