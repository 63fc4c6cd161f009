import { setTimeout as sleep } from 'node:timers/promises';
import type { Paint } from '#contract/text/paint.ts';
import { wrap } from '#contract/text/wrap.ts';
import { LiveRows } from '#terminal/live-rows.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { canRedraw, roomOn, type Screen } from '#terminal/screen.ts';
import { consoleLines } from '../console.ts';
import { isOver, type Standing } from '../state.ts';
import { describeInterruption, describeStanding, errorLines, type Row, rowsOf } from './table.ts';

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
    const render = (brief: boolean) => renderRows(rowsOf(standing, now, brief), columns, paint);
    const full = render(false);
    // Lines that have scrolled cannot be redrawn.
    const lines = isOver(standing) || full.length <= rows ? full : render(true).slice(0, rows);
    live.draw(lines);
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

/** Renders rows as lines for a terminal and wraps long ones. */
export function renderRows(rows: readonly Row[], columns: number, paint: Paint): string[] {
  return rows.flatMap(({ text, colour }) =>
    wrap(text, columns).map((line) => (colour ? paint(colour, line) : line)),
  );
}
