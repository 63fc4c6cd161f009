import { runAgain } from '../../stage/retry-advice.ts';
import type { InstalledStanding, StagesStanding, Standing } from '../standing.ts';
import type { Brevity, Row } from './row.ts';
import { renderTable } from './table.ts';

/** One line for what is not a table of stages. */
export function describeStanding(standing: Exclude<Standing, { kind: 'stages' }>): string {
  if (standing.kind === 'installed') return describeInstalled(standing);
  if (standing.kind === 'bootstrap') return `fetching the release: ${standing.line}`;
  return 'nothing is known of a first boot here yet';
}

function describeInstalled({ release, unfinished }: InstalledStanding): string {
  const told = `release ${release} is installed here`;
  if (!unfinished) return told;
  const { end, stage, code } = unfinished;
  const how =
    end === 'failed'
      ? `failed at ${stage} (${code ?? 'no code'})`
      : `was cut off after it began ${stage}`;
  return `${told}; the last first boot ${how}; go on with: ${runAgain}`;
}

/** One line for a run that nobody carries on. */
export function describeInterruption({ installed }: StagesStanding): string {
  return installed
    ? `the first boot was interrupted; go on with: ${runAgain}`
    : 'the first boot was interrupted; it goes on by itself';
}

/** Where a server stands, as rows for a terminal. */
export function rowsOf(standing: Standing, now: number, brevity?: Brevity): Row[] {
  if (standing.kind === 'stages') return renderTable(standing, now, brevity);
  return [{ text: describeStanding(standing) }];
}
