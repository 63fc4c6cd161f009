import { LandfallError } from '#contract/errors.ts';
import { runCommand } from '../host/command.ts';
import { Host } from '../host/host.ts';
import { readStanding, type Standing } from '../progress/standing.ts';
import { paint, wantsColour } from '../progress/terminal/paint.ts';
import { rowsOf, watchStanding } from '../progress/terminal/watch.ts';
import type { Command } from './command.ts';
import { readFlags } from './read-flags.ts';

/** For scripts that wait: as EX_TEMPFAIL of sysexits(3), "try again later". */
const stillRunning = 75;
/** The exit code of what fails on a server (`docs/errors.md`). */
const hasFailed = 11;

export const statusCommand: Command = {
  summary: 'show where this server stands; exit code 0: up, 75: not yet, 11: failed',
  usage: '[--watch] [--json]',
  example: 'landfall status --watch',
  root: false,
  run: async (args) => {
    const { watch, json } = readFlags('status', args, ['watch', 'json']);
    const host = new Host('/', runCommand);
    const read = () => readStanding(host);
    const standing =
      watch && !json ? await watchStanding(read, process.stdout, process.env) : await read();
    if (json) console.log(JSON.stringify(asJson(standing), null, 2));
    else if (!watch) print(standing);
    // Programs have read `unknown`; an error after it would be a second object.
    if (json && standing.kind === 'unknown') process.exitCode = hasFailed;
    else process.exitCode = exitCodeFor(standing);
  },
};

function print(standing: Standing): void {
  const columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  const colour = wantsColour(process.stdout, process.env);
  console.log(paint(rowsOf(standing, Date.now()), columns, colour).join('\n'));
}

/** What programs get: the status file, or as much of its shape as is known. */
export function asJson(standing: Standing): object {
  if (standing.kind === 'stages') return standing.status;
  if (standing.kind === 'installed') return { state: 'done', release: standing.release };
  if (standing.kind === 'bootstrap') return { state: 'bootstrap', line: standing.line };
  return { state: 'unknown' };
}

/** @throws LandfallError STATE_INVALID where there was no first boot */
export function exitCodeFor(standing: Standing): number {
  if (standing.kind === 'unknown') {
    throw new LandfallError('STATE_INVALID', 'nothing is known of a first boot on this server', {
      hint: 'User-data starts it. What cloud-init made of that: cloud-init status --long',
    });
  }
  if (standing.kind === 'bootstrap') return stillRunning;
  if (standing.kind === 'installed' || standing.status.state === 'done') return 0;
  return standing.status.state === 'failed' ? hasFailed : stillRunning;
}
