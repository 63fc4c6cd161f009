import { setTimeout as sleep } from 'node:timers/promises';
import { plainLine } from '../../host/plain-line.ts';
import { consoleLines } from '../console.ts';
import type { Standing } from '../standing.ts';
import type { Status } from '../status.ts';
import { paint, type Screen, wantsColour } from './paint.ts';
import { type Row, renderTable } from './table.ts';

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

function isOver(standing: Standing): boolean {
  if (standing.kind === 'stages') return standing.status.state !== 'running';
  return standing.kind === 'installed';
}

/** One line for what is not a table of stages. */
export function describeStanding(standing: Exclude<Standing, { kind: 'stages' }>): string {
  if (standing.kind === 'installed') return `release ${standing.release} is installed here`;
  if (standing.kind === 'bootstrap') return `fetching the release: ${standing.line}`;
  return 'nothing is known of a first boot here yet';
}

export function rowsOf(standing: Standing, now: number): Row[] {
  if (standing.kind === 'stages') return renderTable(standing.status, now);
  return [{ text: describeStanding(standing) }];
}

/** Moves up over what it drew last and draws again. */
function redrawing(screen: Screen, env: NodeJS.ProcessEnv): (standing: Standing) => void {
  const colour = wantsColour(screen, env);
  let drawn = 0;
  return (standing) => {
    // One column less: a line that fills the last one makes some terminals go on to the next.
    const lines = paint(rowsOf(standing, Date.now()), (screen.columns ?? 80) - 1, colour);
    const up = drawn > 0 ? `\x1b[${drawn}A\r` : '';
    screen.write(`${up}\x1b[0J${lines.join('\n')}\n`);
    drawn = lines.length;
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
      say(standing.status.line, () => tell(standing.status, 'line'));
      if (standing.status.state === 'failed')
        for (const line of reasonOf(standing.status)) write(line);
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
