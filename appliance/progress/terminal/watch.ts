import { setTimeout as sleep } from 'node:timers/promises';
import { LiveRows } from '#terminal/live-rows.ts';
import { roomOn, type Screen, wantsColour } from '#terminal/screen.ts';
import { consoleLines } from '../console.ts';
import { isOver, type Standing } from '../standing.ts';
import { describeInterruption, describeStanding, rowsOf } from './describe-standing.ts';
import { errorLines } from './error-lines.ts';
import { fitRows } from './fit-rows.ts';

/** How often it looks. Milliseconds. */
const pauseMs = 500;

/**
 * Shows where a server stands until it is up or has failed. A terminal is redrawn in place;
 * anything else gets one line a change.
 * @returns where it stood in the end
 */
export async function watchStanding(
  read: () => Promise<Standing>,
  screen: Screen,
  env: NodeJS.ProcessEnv,
): Promise<Standing> {
  const show = screen.isTTY ? redrawing(screen, env) : appending(screen);
  for (;;) {
    const standing = await read();
    show(standing);
    if (isOver(standing)) return standing;
    await sleep(pauseMs);
  }
}

/** What is drawn last stays, so it is all there. */
function redrawing(screen: Screen, env: NodeJS.ProcessEnv): (standing: Standing) => void {
  const colour = wantsColour(screen, env);
  const live = new LiveRows(screen);
  return (standing) => {
    const now = Date.now();
    const { columns, rows } = roomOn(screen);
    const most = isOver(standing) ? Number.POSITIVE_INFINITY : rows;
    live.draw(fitRows((brevity) => rowsOf(standing, now, brevity), columns, most, colour));
  };
}

function appending(screen: Screen): (standing: Standing) => void {
  let last: string | undefined;
  const write = (line: string) => screen.write(`${line}\n`);
  const tell = consoleLines(write);
  const say = (line: string | undefined, then: () => void) => {
    if (line !== last) then();
    last = line;
  };
  return (standing) => {
    if (standing.kind === 'stages') {
      tell(standing.status, 'stage');
      const { status, interrupted } = standing;
      if (interrupted) {
        const line = describeInterruption(standing);
        say(line, () => write(line));
      } else say(status.line, () => tell(status, 'line'));
      for (const reason of errorLines(standing)) write(reason);
    } else {
      const line = describeStanding(standing);
      say(line, () => write(line));
    }
  };
}
