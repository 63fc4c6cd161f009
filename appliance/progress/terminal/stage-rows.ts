import { stateWords } from '../console.ts';
import { formatDuration } from '../duration.ts';
import type { StageStatus } from '../status.ts';
import type { Brevity, Colour, Row, Shown } from './row.ts';

const colours: Readonly<Record<StageStatus['state'], Colour>> = {
  waiting: 'dim',
  running: 'bold',
  applied: 'green',
  kept: 'green',
  failed: 'red',
};

/**
 * One row a stage: what became of it, and how long that took.
 * @param until milliseconds since 1970, the end of what still runs
 */
export function stageRows(
  { status: { stages }, interrupted }: Shown,
  until: number,
  brevity: Brevity,
): Row[] {
  const width = Math.max(0, ...stages.map(({ name }) => name.length));
  const rows = stages.flatMap((stage, index): Row[] => {
    if ((brevity.ended && hasEnded(stage)) || (brevity.waiting && isWaiting(stage))) return [];
    const cutOff = interrupted && stage.state === 'running';
    const cells = [
      String(index + 1).padStart(2),
      stage.name.padEnd(width),
      (cutOff ? 'cut off' : stateWords[stage.state]).padEnd(10),
      timeOf(stage, until).padStart(12),
    ];
    return [{ text: cells.join('  ').trimEnd(), colour: colours[stage.state] }];
  });
  return [
    ...countRow(brevity.ended ? stages.filter(hasEnded).length : 0, 'done'),
    ...rows,
    ...countRow(brevity.waiting ? stages.filter(isWaiting).length : 0, 'waiting'),
  ];
}

/** Stands for rows that were left out. */
function countRow(count: number, what: string): Row[] {
  return count === 0 ? [] : [{ text: ` …  ${count} ${what}`, colour: 'dim' }];
}

function timeOf({ state, since, took }: StageStatus, until: number): string {
  if (took !== undefined) return formatDuration(took);
  if (state !== 'running' || !since) return '';
  return formatDuration(Math.max(0, until - Date.parse(since)));
}

function hasEnded({ state }: StageStatus): boolean {
  return state === 'applied' || state === 'kept';
}

function isWaiting({ state }: StageStatus): boolean {
  return state === 'waiting';
}
