import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { wantsColour } from '#terminal/screen.ts';
import { Host } from '../host/host.ts';
import { runCommand } from '../host/run/command.ts';
import { outcomeOf, readStanding, type Standing } from '../progress/standing.ts';
import { rowsOf } from '../progress/terminal/describe-standing.ts';
import { paint } from '../progress/terminal/paint.ts';
import type { Row } from '../progress/terminal/row.ts';
import { watchStanding } from '../progress/terminal/watch.ts';
import { describeStack, healthOf } from '../stack/describe-stack.ts';
import { type StackState, stackState } from '../stack/stack-state.ts';
import type { JsonFlag } from './json-flag.ts';

/** For scripts that wait: as EX_TEMPFAIL of sysexits(3), "try again later". */
const notYet = 75;
/** For monitors: as EX_UNAVAILABLE of sysexits(3), "a service is unavailable". */
const partsDown = 69;
/** The exit code of what fails on a server (`docs/errors.md`). */
const hasFailed = 11;

interface Flags extends JsonFlag {
  readonly watch?: boolean;
}

const help = `
Exit codes: 0 up, 75 not yet, 69 a part is down, 11 failed.

Example:
  landfall status --watch
`;

/** `landfall status`: shows where this server stands. */
export function statusCommand(): Command {
  return new Command('status')
    .description('show where this server stands, also as an exit code')
    .option('--watch', 'follow a first boot until it ends')
    .option('--json', 'print it as JSON')
    .addHelpText('after', help)
    .action(showStatus);
}

async function showStatus({ watch, json }: Flags): Promise<void> {
  const host = new Host('/', runCommand);
  const read = () => readStanding(host);
  const standing =
    watch && !json ? await watchStanding(read, process.stdout, process.env) : await read();
  const now = isInstalled(standing) ? await stackState(host) : undefined;
  if (json) console.log(JSON.stringify(asJson(standing, now), null, 2));
  else print([...(watch ? [] : rowsOf(standing, Date.now())), ...(now ? partRows(now) : [])]);
  // Programs have read `unknown`; an error after it would be a second object.
  if (json && standing.kind === 'unknown') process.exitCode = hasFailed;
  else process.exitCode = exitCodeFor(standing, now);
}

/** Whether the stack was ever up here: until then the stages say more than the engine. */
function isInstalled(standing: Standing): boolean {
  if (standing.kind === 'stages') return standing.installed || standing.status.state === 'done';
  return standing.kind === 'installed';
}

function partRows(now: StackState): Row[] {
  return [{ text: '' }, ...describeStack(now)];
}

function print(rows: readonly Row[]): void {
  if (rows.length === 0) return;
  // A serial console says 0 where it does not know.
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  const colour = wantsColour(process.stdout, process.env);
  console.log(paint(rows, columns, colour).join('\n'));
}

/** What programs get: how far it was brought up, as much as is known, and the stack as it is now. */
export function asJson(standing: Standing, now?: StackState): object {
  return { ...broughtUp(standing), ...now };
}

function broughtUp(standing: Standing): object {
  const state = outcomeOf(standing);
  if (standing.kind === 'stages') return { ...standing.status, state };
  if (standing.kind === 'bootstrap') return { state, line: standing.line };
  if (standing.kind === 'unknown') return { state };
  const { stage, code } = standing.unfinished ?? {};
  return { state, release: standing.release, ...(stage && { stage }), ...(code && { code }) };
}

/** @throws LandfallError STATE_INVALID where there was no first boot */
export function exitCodeFor(standing: Standing, now?: StackState): number {
  const outcome = outcomeOf(standing);
  if (outcome === 'unknown') {
    throw new LandfallError('STATE_INVALID', 'nothing is known of a first boot on this server', {
      hint: 'User-data starts it. What cloud-init made of that: cloud-init status --long',
    });
  }
  if (outcome === 'failed') return hasFailed;
  if (outcome === 'interrupted') return isInstalled(standing) ? hasFailed : notYet;
  if (outcome !== 'done') return notYet;
  return now ? exitCodes[healthOf(now)] : 0;
}

const exitCodes = { up: 0, starting: notYet, down: partsDown } as const;
