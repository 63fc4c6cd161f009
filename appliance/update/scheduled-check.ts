import { deliverAlerts, queueAlerts } from '../alerts/queue.ts';
import type { Context } from '../stage/stage.ts';
import { announcementsOf } from './announcements.ts';
import { checkUpdates } from './check-updates.ts';
import { type UpdateState, writeUpdateState } from './state.ts';

/** Announcements that are remembered. */
const maxAnnounced = 100;

/**
 * Checks for updates and sends one alert for each new release, each withdrawn release that runs here,
 * and each refused change of the keys. Alerts are queued before they are recorded as announced: after a
 * power cut in between, the queue replaces the alert.
 */
export async function scheduledCheck(
  { host, site, release }: Pick<Context, 'host' | 'site' | 'release'>,
  now = new Date(),
): Promise<UpdateState> {
  const state = await checkUpdates({ host, site, release }, now);
  const fresh = announcementsOf(state, site.language).filter(
    ({ id }) => !state.announced.includes(id),
  );
  if (fresh.length > 0) {
    const at = now.toISOString();
    await queueAlerts(
      host,
      site,
      fresh.map(({ text }) => ({
        subject: text.slice(0, 200),
        state: 'notice' as const,
        since: at,
        at,
        command: 'sudo landfall update status',
      })),
    );
  }
  const announced = [...state.announced, ...fresh.map(({ id }) => id)].slice(-maxAnnounced);
  const after = { ...state, announced };
  await writeUpdateState(host, after);
  await deliverAlerts(host, site, now);
  return after;
}
