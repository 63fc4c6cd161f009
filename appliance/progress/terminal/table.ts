import { formatDuration } from '#contract/text/duration.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { bar } from '#terminal/bar.ts';
import { runAgain } from '../../stage/retry-advice.ts';
import { describeAmount, fraction } from '../amount.ts';
import type { Status } from '../status.ts';
import { errorLines } from './error-lines.ts';
import type { Brevity, Row, Shown } from './row.ts';
import { stageRows } from './stage-rows.ts';

/**
 * How far a first boot is or came: one row a stage, then what is being done now.
 * @param now milliseconds since 1970
 */
export function renderTable(shown: Shown, now: number, brevity: Brevity = {}): Row[] {
  const { status, interrupted } = shown;
  const until = status.state === 'running' && !interrupted ? now : Date.parse(status.updated);
  return [
    { text: headline(shown, until), colour: 'bold' },
    { text: '' },
    ...stageRows(shown, until, brevity),
    ...foot(shown, brevity),
  ];
}

function headline({ status, interrupted }: Shown, until: number): string {
  const { product, release, state, started } = status;
  const time = formatDuration(Math.max(0, until - Date.parse(started)));
  const words = {
    running: `the first boot goes on, for ${time} so far`,
    interrupted: `the first boot was interrupted, after ${time}`,
    done: `the first boot took ${time}`,
    failed: `the first boot has stopped, after ${time}`,
  };
  const told = interrupted ? words.interrupted : words[state];
  return `${plainLine(product)} ${plainLine(release)}: ${told}`;
}

/** What was stored may hold anything; what a terminal obeys does not pass. */
function foot(shown: Shown, brevity: Brevity): Row[] {
  const { line, progress } = shown.status;
  const rows: Row[] = [
    ...(line ? [{ text: plain(line) }] : []),
    ...(progress ? [{ text: `${bar(fraction(progress), 30)}  ${describeAmount(progress)}` }] : []),
    ...warningRows(shown.status, brevity),
    ...errorLines(shown).map(
      (text, index): Row => (index === 0 ? { text, colour: 'red' } : { text }),
    ),
    ...whatNext(shown),
  ];
  return rows.length > 0 ? [{ text: '' }, ...rows] : [];
}

function warningRows({ warnings }: Status, brevity: Brevity): Row[] {
  if (!brevity.warnings || warnings.length === 0) {
    return warnings.map(({ text }) => ({ text: plain(`warning: ${text}`), colour: 'yellow' }));
  }
  const count = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`;
  return [{ text: `${count}: landfall status`, colour: 'yellow' }];
}

/** For a run that was interrupted; one that failed says it with its error. */
function whatNext({ interrupted, installed }: Shown): Row[] {
  if (!interrupted) return [];
  return [{ text: installed ? `go on with: ${runAgain}` : 'it goes on by itself' }];
}

function plain(text: string): string {
  return plainLine(text, 1000);
}
