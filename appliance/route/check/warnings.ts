import { formatTime } from '#contract/text/time-zone.ts';
import type { Warning } from '../../stage/warning.ts';
import type { Checked } from './check-route.ts';
import type { RouteState } from './state.ts';

/**
 * Returns the warnings of the report after a check: one for each failed destination, none for a
 * reachable one. A destination with fewer than three failures keeps its warning.
 */
export function routeWarnings(
  before: readonly Warning[],
  checked: readonly Checked[],
  { subjects }: RouteState,
): Warning[] {
  const current = checked.flatMap(({ subject, warning }): Warning[] => {
    const known = subjects[subject];
    if (known?.state !== 'failed') return [];
    return [
      {
        ...warning,
        text: `${subject} failed since ${formatTime(new Date(known.since))}: ${known.cause ?? ''}`,
      },
    ];
  });
  const isReplaced = ({ kind, subject }: Warning) =>
    checked.some(
      ({ warning, subject: key }) =>
        warning.kind === kind &&
        warning.subject === subject &&
        (subjects[key]?.failures === 0 || subjects[key]?.state === 'failed'),
    );
  return [...before.filter((warning) => !isReplaced(warning)), ...current];
}
