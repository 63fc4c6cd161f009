import type { Alert } from '../../alerts/alert.ts';
import { deliverAlerts, queueAlerts } from '../../alerts/queue.ts';
import type { Context } from '../../stage/stage.ts';
import { type Checked, checkRoute } from './check-route.ts';
import { type Change, nextState } from './next-state.ts';
import { type RouteState, readRouteState, writeRouteState } from './state.ts';

/** The result of a scheduled check. */
interface ScheduledCheck {
  readonly checked: readonly Checked[];
  readonly state: RouteState;
  readonly changes: readonly Change[];
}

/**
 * Checks the route, records its state and sends an alert for each change. Alerts are queued before
 * the state is written: after a power cut in between, the next check finds the same change, and the
 * queue replaces the alert.
 */
export async function scheduledCheck(
  context: Pick<Context, 'host' | 'server' | 'site' | 'release'>,
  now = new Date(),
): Promise<ScheduledCheck> {
  const { host, site } = context;
  const checked = await checkRoute(context);
  const { state, changes } = nextState(await readRouteState(host), checked, now);
  if (changes.length > 0)
    await queueAlerts(
      host,
      site,
      changes.map((each) => alertOf(each, now)),
    );
  await writeRouteState(host, state);
  await deliverAlerts(host, site, now);
  return { checked, state, changes };
}

function alertOf({ subject, state, since, cause }: Change, now: Date): Alert {
  return {
    subject: subject.slice(0, 200),
    state,
    since,
    at: now.toISOString(),
    ...(cause === undefined ? {} : { detail: cause.slice(0, 300) }),
    command: 'sudo landfall route test',
  };
}
