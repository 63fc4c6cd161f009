import type { Text } from '#contract/text/language.ts';
import type { Checked } from './check-route.ts';
import type { RouteState, SubjectState } from './state.ts';

/** Failures in a row that make a destination failed. Fewer are not reported. */
export const failuresUntilAlert = 3;

/** A destination whose state changed. */
export interface Change {
  readonly subject: string;
  readonly title?: Text | undefined;
  readonly state: SubjectState['state'];
  /** The first failure, as an ISO time. */
  readonly since: string;
  readonly cause?: string | undefined;
  readonly code?: string | undefined;
}

/**
 * Returns the state after a check, and what changed: working to failed after three failures in a row,
 * failed to working at once. Destinations that were not checked are forgotten.
 */
export function nextState(
  before: RouteState | undefined,
  checked: readonly Checked[],
  now: Date,
): { readonly state: RouteState; readonly changes: readonly Change[] } {
  const at = now.toISOString();
  const steps = checked.map(({ subject, title, failure, code }) => {
    const known = before?.subjects[subject];
    const next = { ...nextOf(known, failure, at), ...(failure && { code }), title };
    return { subject, known, next };
  });
  const changes = steps.flatMap(({ subject, known, next }) => {
    if (next.state === (known?.state ?? 'working')) return [];
    const since = next.state === 'failed' ? next.since : (known?.since ?? at);
    const { state, title, cause, code } = next;
    return [{ subject, title, state, since, cause, code }];
  });
  const subjects = Object.fromEntries(steps.map(({ subject, next }) => [subject, next]));
  return { state: { schema: 1, at, subjects }, changes };
}

function nextOf(
  known: SubjectState | undefined,
  failure: string | undefined,
  at: string,
): SubjectState {
  if (failure === undefined) {
    const isSame = known !== undefined && known.failures === 0;
    return { state: 'working', failures: 0, since: isSame ? known.since : at };
  }
  const failures = (known?.failures ?? 0) + 1;
  return {
    state: failures >= failuresUntilAlert ? 'failed' : 'working',
    failures,
    since: known !== undefined && known.failures > 0 ? known.since : at,
    cause: failure,
  };
}
