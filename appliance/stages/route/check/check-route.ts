import { plainLine } from '#contract/text/plain-line.ts';
import { alertOf } from '../../../server/alerts/announce.ts';
import { deliverAlerts, queueAlerts } from '../../../server/alerts/queue.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { failOver } from '../client/bring-up.ts';
import {
  type Checked,
  named,
  probeArchives,
  probeDestinations,
  probeProviders,
} from '../probe-destinations.ts';
import { routeCondition } from './describe.ts';
import { failuresUntilAlert, nextState, type RouteState, storedRoute } from './state.ts';

/** The whole route, besides its destinations. */
const wholeRoute = 'the route';

/**
 * Checks the route with the probes of the stage `route`: package archives, downloads, providers. If
 * none of them can be reached, the route itself has failed.
 */
export async function checkRoute(
  context: Pick<Context, 'host' | 'server' | 'site' | 'release'>,
): Promise<Checked[]> {
  const { host, site, release } = context;
  const probed = await Promise.all([
    probeArchives(context),
    host.outside.measure(() => probeDestinations(site, release)),
    host.outside.measure(() => probeProviders(site)),
  ]);
  const checked = distinct(probed.flat()).map((each) => ({
    ...each,
    failure: each.failure === undefined ? undefined : plainLine(each.failure, 250),
  }));
  return checked.length === 0 ? [] : [routeOf(checked), ...checked];
}

/** Merges results of one subject, such as two archives of one host; a failure wins. */
function distinct(checked: readonly Checked[]): Checked[] {
  const bySubject = new Map<string, Checked>();
  for (const each of checked) {
    if (bySubject.get(each.subject)?.failure === undefined) bySubject.set(each.subject, each);
  }
  return [...bySubject.values()];
}

function routeOf(checked: readonly Checked[]): Checked {
  const isDown = checked.every(({ failure }) => failure !== undefined);
  return {
    ...named(wholeRoute, '网络线路'),
    ...(isDown && { code: 'NETWORK_UNREACHABLE' as const }),
    failure: isDown ? 'none of the destinations can be reached' : undefined,
  };
}

/**
 * Checks the route, changes to another imported proxy if it reaches nothing, records its state and
 * sends an alert for each change. Alerts are queued before the state is written: after a power cut in
 * between, the next check finds the same change, and the queue replaces the alert.
 */
export async function scheduledCheck(context: Context, now = new Date()) {
  const { host, site } = context;
  const before = await storedRoute.read(host);
  const checked = await checkAndFailOver(context, before);
  const { state, changes } = nextState(before, checked, now);
  if (changes.length > 0)
    await queueAlerts(
      host,
      site,
      changes.map((change) => ({
        ...alertOf(routeCondition(change), site.language, now.toISOString()),
        ...{ state: change.state, since: change.since },
      })),
    );
  await storedRoute.write(host, state);
  await deliverAlerts(host, site, now);
  return { checked, state, changes };
}

async function checkAndFailOver(
  context: Context,
  before: RouteState | undefined,
): Promise<readonly Checked[]> {
  const checked = await checkRoute(context);
  const isDown = checked.some(({ subject, failure }) => subject === wholeRoute && failure);
  const failures = isDown ? 1 + (before?.subjects[wholeRoute]?.failures ?? 0) : 0;
  const isChanged = await failOver(context, { failures, max: failuresUntilAlert });
  return isChanged ? await checkRoute(context) : checked;
}
