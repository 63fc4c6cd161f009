import { runAgain } from '../../stage/retry-advice.ts';
import type { InstalledStanding, StagesStanding, Standing } from '../standing.ts';
import type { Brevity, Row } from './row.ts';
import { renderTable } from './table.ts';

/** Describes a standing without stages in one line. */
export function describeStanding(standing: Exclude<Standing, { kind: 'stages' }>): string {
  if (standing.kind === 'installed') return describeInstalled(standing);
  if (standing.kind === 'bootstrap') return `downloading the release: ${standing.line}`;
  return 'no first boot has started on this server yet';
}

function describeInstalled({ release, unfinished }: InstalledStanding): string {
  const installed = `release ${release} is installed here`;
  if (!unfinished) return installed;
  const { end, stage, code } = unfinished;
  const how =
    end === 'failed'
      ? `failed at ${stage} (${code ?? 'no code'})`
      : `was interrupted after it started ${stage}`;
  return `${installed}; the last first boot ${how}; to continue, run: ${runAgain}`;
}

/** Describes an interrupted run in one line. */
export function describeInterruption({ installed }: StagesStanding): string {
  return installed
    ? `the first boot was interrupted; to continue, run: ${runAgain}`
    : 'the first boot was interrupted; it continues automatically';
}

/** Renders a standing as rows for a terminal. */
export function rowsOf(standing: Standing, now: number, brevity?: Brevity): Row[] {
  if (standing.kind === 'stages') return renderTable(standing, now, brevity);
  return [{ text: describeStanding(standing) }];
}
