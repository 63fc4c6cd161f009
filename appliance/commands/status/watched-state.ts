import { LandfallError } from '#contract/errors.ts';
import { alertProblems, type TargetState, targetStates } from '../../alerts/describe-alerts.ts';
import type { Host } from '../../host/host.ts';
import { readSite } from '../../load-facts.ts';
import type { Row } from '../../progress/terminal/table.ts';
import { describeRouteState } from '../../route/check/describe.ts';
import { type RouteState, readRouteState } from '../../route/check/state.ts';

/** What `landfall status` shows besides the setup and the stack. */
interface WatchedState {
  /** The last scheduled check of the route. */
  readonly route?: RouteState | undefined;
  readonly alerts?: readonly TargetState[];
}

/** Returns the state of the route and of the alert targets. */
export async function watchedState(host: Host): Promise<WatchedState> {
  return { route: await readRouteState(host), alerts: await statesOf(host) };
}

/** Formats the state of the route, and the alert targets with problems. */
export function watchedRows({ route, alerts = [] }: WatchedState): Row[] {
  const isHealthy = Object.values(route?.subjects ?? {}).every(({ failures }) => failures === 0);
  return [
    ...(route ? describeRouteState(route) : []).map(
      (text): Row => (isHealthy ? { text } : { text, colour: 'yellow' }),
    ),
    ...alertProblems(alerts).map(({ text }): Row => ({ text, colour: 'yellow' })),
  ];
}

/** An invalid site must not hide the rest of the status. */
async function statesOf(host: Host): Promise<TargetState[]> {
  try {
    return await targetStates(host, await readSite(host));
  } catch (error) {
    if (error instanceof LandfallError) return [];
    throw error;
  }
}
