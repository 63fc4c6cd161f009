import { alertOf } from '../../server/alerts/announce.ts';
import { deliverAlerts, queueAlerts } from '../../server/alerts/queue.ts';
import type { Condition } from '../../server/conditions/condition.ts';
import type { Context } from '../../server/stage/stage.ts';
import { checkUpdates } from './check-updates.ts';
import { updateConditions } from './conditions.ts';
import { storedUpdates, type UpdateState } from './last-check.ts';

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
  const after = await announce({ host, site }, state, updateConditions(state), now);
  await deliverAlerts(host, site, now);
  return after;
}

/**
 * Queues an alert for each condition that was not announced yet. Alerts are queued before they are
 * recorded as announced: after a power cut in between, the queue replaces the alert.
 */
export async function announce(
  { host, site }: Pick<Context, 'host' | 'site'>,
  state: UpdateState,
  conditions: readonly Condition[],
  now = new Date(),
): Promise<UpdateState> {
  const fresh = conditions.filter(({ subject = '' }) => !state.announced.includes(subject));
  if (fresh.length > 0) {
    const at = now.toISOString();
    const alerts = fresh.map((each) => alertOf(each, site.language, at));
    await queueAlerts(host, site, alerts);
  }
  const announced = [...state.announced, ...fresh.map(({ subject = '' }) => subject)].slice(
    -maxAnnounced,
  );
  const after = { ...state, announced };
  await storedUpdates.write(host, after);
  return after;
}
