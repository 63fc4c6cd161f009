import { deliverAlerts, queueAlerts } from '../../server/alerts/queue.ts';
import type { Context } from '../../server/stage/stage.ts';
import { type Announcement, announcementsOf } from './announcements.ts';
import { checkUpdates } from './check-updates.ts';
import { type UpdateState, writeUpdateState } from './state.ts';

/** Announcements that are remembered. */
const maxAnnounced = 100;

/**
 * Checks for updates. Sends one alert for each new release, each withdrawn release that runs here, and each
 * refused change of the keys.
 */
export async function scheduledCheck(
  { host, site, release }: Pick<Context, 'host' | 'site' | 'release'>,
  now = new Date(),
): Promise<UpdateState> {
  const state = await checkUpdates({ host, site, release }, now);
  const after = await announce({ host, site }, state, announcementsOf(state, site.language), now);
  await deliverAlerts(host, site, now);
  return after;
}

/**
 * Queues an alert for each announcement that was not announced yet. Alerts are queued before they are
 * recorded as announced: after a power cut in between, the queue replaces the alert.
 */
export async function announce(
  { host, site }: Pick<Context, 'host' | 'site'>,
  state: UpdateState,
  announcements: readonly Announcement[],
  now = new Date(),
): Promise<UpdateState> {
  const fresh = announcements.filter(({ id }) => !state.announced.includes(id));
  if (fresh.length > 0) {
    const at = now.toISOString();
    await queueAlerts(
      host,
      site,
      fresh.map(({ text }) => ({
        ...{ subject: text.slice(0, 200), state: 'notice' as const, since: at, at },
        command: 'sudo landfall update status',
      })),
    );
  }
  const announced = [...state.announced, ...fresh.map(({ id }) => id)].slice(-maxAnnounced);
  const after = { ...state, announced };
  await writeUpdateState(host, after);
  return after;
}
