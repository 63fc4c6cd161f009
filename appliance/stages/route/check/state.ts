import { z } from 'zod';
import { routeStateFile } from '#contract/server-paths.ts';
import { StateFile } from '../../../server/host/state-file.ts';
import type { Checked } from '../probe-destinations.ts';

const subjectSchema = z.strictObject({
  state: z.enum(['working', 'failed']),
  /** Failures in a row. */
  failures: z.int().min(0),
  /** With failures: the first one. Otherwise since when it works. */
  since: z.iso.datetime(),
  /** The cause of the last failure. */
  cause: z.string().optional(),
  /** Its error code. */
  code: z.string().optional(),
  /** The name for users, if it differs from the key. */
  title: z.strictObject({ en: z.string(), zh: z.string() }).optional(),
});

const stateSchema = z.strictObject({
  schema: z.literal(1),
  /** The last check. */
  at: z.iso.datetime(),
  subjects: z.record(z.string(), subjectSchema),
});

type SubjectState = z.infer<typeof subjectSchema>;

/** The state of the route after a check. Contains no secrets. */
export type RouteState = z.infer<typeof stateSchema>;

export const storedRoute = new StateFile(routeStateFile, stateSchema);

/** Failures in a row that make a destination failed. Fewer are not reported. */
export const failuresUntilAlert = 3;

/** A destination whose state changed; it failed first at `since`. */
export type RouteChange = Omit<SubjectState, 'failures'> & { readonly subject: string };

/**
 * Returns the state after a check, and what changed: working to failed after three failures in a row,
 * failed to working at once. Destinations that were not checked are forgotten.
 */
export function nextState(
  before: RouteState | undefined,
  checked: readonly Checked[],
  now: Date,
): { readonly state: RouteState; readonly changes: readonly RouteChange[] } {
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
