import { formatDuration } from '#contract/text/duration.ts';
import type { TextStyle } from '#contract/text/paint.ts';
import { alignRows } from '#contract/text/table.ts';
import { stateWord } from '../console.ts';
import type { StageStatus } from '../status.ts';
import type { Brevity, Row, Shown } from './row.ts';

const colours: Readonly<Record<StageStatus['state'], TextStyle>> = {
  waiting: 'dim',
  running: 'bold',
  applied: 'green',
  kept: 'green',
  failed: 'red',
};

/** Wide enough for every state and time, so that redrawn rows stay aligned. */
const columns = [
  { align: 'right', least: 2 },
  {},
  { least: 11 },
  { align: 'right', least: 12 },
] as const;

/**
 * Renders one row per stage, with its state and duration.
 * @param until end time for a running stage, in milliseconds since 1970
 */
export function stageRows(
  { status: { stages }, interrupted }: Shown,
  until: number,
  brevity: Brevity,
): Row[] {
  const lines = alignRows(
    stages.map((stage, index) => [
      `${index + 1}`,
      stage.name,
      stateWord(interrupted && stage.state === 'running' ? 'interrupted' : stage.state),
      timeOf(stage, until),
    ]),
    columns,
  );
  const ended = brevity.includes('ended') ? stages.filter(hasEnded) : [];
  const waiting = brevity.includes('waiting') ? stages.filter(isWaiting) : [];
  const rows = stages.flatMap((stage, index): Row[] => {
    if (ended.includes(stage) || waiting.includes(stage)) return [];
    return [{ text: lines[index] ?? '', colour: colours[stage.state] }];
  });
  return [...countRow(ended.length, 'applied'), ...rows, ...countRow(waiting.length, 'waiting')];
}

/** Returns a row that replaces abbreviated ones. */
function countRow(count: number, state: 'applied' | 'waiting'): Row[] {
  return count === 0 ? [] : [{ text: ` …  ${count} ${stateWord(state)}`, colour: 'dim' }];
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
