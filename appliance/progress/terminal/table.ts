import { plainLine } from '../../host/plain-line.ts';
import { describeAmount, fraction } from '../amount.ts';
import { stateWords } from '../console.ts';
import { formatDuration } from '../duration.ts';
import type { StageStatus, Status } from '../status.ts';

/** How a row is painted on a terminal with colours. */
export type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold';

export interface Row {
  readonly text: string;
  readonly colour?: Colour;
}

const colours: Readonly<Record<StageStatus['state'], Colour>> = {
  waiting: 'dim',
  running: 'bold',
  applied: 'green',
  kept: 'green',
  failed: 'red',
};

/**
 * Where a server stands: one row a stage, then what is being done now.
 * @param now milliseconds since 1970
 */
export function renderTable(status: Status, now: number): Row[] {
  return [
    { text: headline(status, now), colour: 'bold' },
    { text: '' },
    ...stageRows(status, now),
    ...foot(status),
  ];
}

function headline({ product, release, state, started, updated }: Status, now: number): string {
  const end = state === 'running' ? now : Date.parse(updated);
  const time = formatDuration(Math.max(0, end - Date.parse(started)));
  const words = {
    running: `the first boot goes on, for ${time} so far`,
    done: `all is up, after ${time}`,
    failed: `the first boot has stopped, after ${time}`,
  };
  return `${plainLine(product)} ${plainLine(release)}: ${words[state]}`;
}

function stageRows({ stages }: Status, now: number): Row[] {
  const width = Math.max(0, ...stages.map(({ name }) => name.length));
  return stages.map((stage, index) => {
    const cells = [
      String(index + 1).padStart(2),
      stage.name.padEnd(width),
      stateWords[stage.state].padEnd(10),
      timeOf(stage, now).padStart(12),
    ];
    return { text: cells.join('  ').trimEnd(), colour: colours[stage.state] };
  });
}

function timeOf({ state, since, took }: StageStatus, now: number): string {
  if (took !== undefined) return formatDuration(took);
  if (state !== 'running' || !since) return '';
  return formatDuration(Math.max(0, now - Date.parse(since)));
}

/** What was stored may hold anything; what a terminal obeys does not pass. */
function foot({ line, progress, warnings, error }: Status): Row[] {
  const plain = (text: string) => plainLine(text, 1000);
  const rows: Row[] = [
    ...(line ? [{ text: plain(line) }] : []),
    ...(progress ? [{ text: `${bar(fraction(progress), 30)}  ${describeAmount(progress)}` }] : []),
    ...warnings.map((text): Row => ({ text: plain(`warning: ${text}`), colour: 'yellow' })),
    ...(error ? [{ text: plain(`${error.code}: ${error.message}`), colour: 'red' } as const] : []),
    ...(error?.problems ?? []).map((text): Row => ({ text: `  ${plain(text)}` })),
    ...(error?.hint ? [{ text: plain(`hint: ${error.hint}`) }] : []),
  ];
  return rows.length > 0 ? [{ text: '' }, ...rows] : [];
}

/** `[###################-----------]  64 %`, in letters that every console has. */
export function bar(part: number, width: number): string {
  const full = Math.floor(part * width);
  const percent = `${Math.floor(part * 100)} %`.padStart(5);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}] ${percent}`;
}
