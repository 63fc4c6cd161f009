import { setTimeout as sleep } from 'node:timers/promises';
import { LiveRows } from '#terminal/live-rows.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { canRedraw, roomOn, type Screen } from '#terminal/screen.ts';
import { consoleLines } from '../console.ts';
import { isOver, type Standing } from '../standing.ts';
import { describeInterruption, describeStanding, rowsOf } from './describe-standing.ts';
import { errorLines } from './error-lines.ts';
import { fitRows } from './fit-rows.ts';

/** Polling interval in milliseconds. */
const pauseMs = 500;

/**
 * Shows the progress of the setup until it succeeds or fails. Redraws a terminal in place; otherwise
 * prints one line per change.
 * @returns the final standing
 */
export async function watchStanding(
  read: () => Promise<Standing>,
  screen: Screen,
  env: NodeJS.ProcessEnv,
): Promise<Standing> {
  const show = canRedraw(screen, env) ? redrawing(screen, env) : appending(screen);
  for (;;) {
    const standing = await read();
    show(standing);
    if (isOver(standing)) return standing;
    await sleep(pauseMs);
  }
}

/** Redraws in place. The final output is complete, even if it scrolls. */
function redrawing(screen: Screen, env: NodeJS.ProcessEnv): (standing: Standing) => void {
  const paint = paintFor(screen, env);
  const live = new LiveRows(screen);
  return (standing) => {
    const now = Date.now();
    const { columns, rows } = roomOn(screen);
    const most = isOver(standing) ? Number.POSITIVE_INFINITY : rows;
    live.draw(fitRows((brevity) => rowsOf(standing, now, brevity), columns, most, paint));
  };
}

function appending(screen: Screen): (standing: Standing) => void {
  let last: string | undefined;
  const write = (line: string) => screen.write(`${line}\n`);
  const listener = consoleLines(write);
  const onNewLine = (line: string | undefined, print: () => void) => {
    if (line !== last) print();
    last = line;
  };
  return (standing) => {
    if (standing.kind === 'stages') {
      listener(standing.status, 'stage');
      const { status, interrupted } = standing;
      if (interrupted) {
        const line = describeInterruption(standing);
        onNewLine(line, () => write(line));
      } else onNewLine(status.line, () => listener(status, 'line'));
      for (const reason of errorLines(standing)) write(reason);
    } else {
      const line = describeStanding(standing);
      onNewLine(line, () => write(line));
    }
  };
}
