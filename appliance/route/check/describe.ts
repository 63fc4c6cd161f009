import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Checked } from './check-route.ts';
import { failuresUntilAlert } from './next-state.ts';
import type { RouteState } from './state.ts';

/** Formats the results of a check as a table. */
export function describeChecked(checked: readonly Checked[]): string {
  if (checked.length === 0) return 'This server has no destinations to check.';
  return formatTable(
    checked.map(({ subject, failure }) => [
      subject,
      failure === undefined ? 'reachable' : 'failed',
      failure ?? '',
    ]),
  );
}

/** Describes the recorded state, one line per problem, for `landfall status`. */
export function describeRouteState({ at, subjects }: RouteState): string[] {
  const troubled = Object.entries(subjects).filter(([, { failures }]) => failures > 0);
  if (troubled.length === 0) return [`route: working, checked ${formatTime(new Date(at))}`];
  return troubled.map(([subject, { state, failures, since, cause }]) =>
    state === 'failed'
      ? `route: ${subject} failed since ${formatTime(new Date(since))}: ${cause}`
      : `route: ${subject} failed ${failures} of ${failuresUntilAlert} checks since ${formatTime(new Date(since))}: ${cause}`,
  );
}
