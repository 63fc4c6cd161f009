import { setTimeout as sleep } from 'node:timers/promises';
import { plainLine } from '#contract/text/plain-line.ts';
import { LiveRows } from '#terminal/live-rows.ts';
import { roomOn, type Screen, wantsColour } from '#terminal/screen.ts';
import { consoleLines } from '../console.ts';
import { isOver, type Standing } from '../standing.ts';
import type { Status } from '../status.ts';
import { describeInterruption, describeStanding, rowsOf } from './describe-standing.ts';
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
      if (status.state === 'failed') for (const reason of reasonOf(status)) write(reason);
    } else {
      const line = describeStanding(standing);
      say(line, () => write(line));
    }
  };
}

function reasonOf({ error }: Status): string[] {
  if (!error) return ['the first boot has stopped'];
  const { code, message, problems = [], hint } = error;
  const lines = [`${code}: ${message}`, ...problems, ...(hint ? [`hint: ${hint}`] : [])];
  return lines.map((line) => plainLine(line, 1000));
}
