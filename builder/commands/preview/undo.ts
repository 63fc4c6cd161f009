import { LandfallError } from '#contract/errors.ts';
import { cancelled } from '../../base/progress/reporter.ts';
import { Docker } from './docker/docker.ts';
import { removePreview } from './remove.ts';
import type { PreviewFolder } from './state.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The reason of an aborted run. */
class Interruption {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    this.signal = signal;
  }

  /** Ends the program as the signal does by default, so that the shell and scripts see it. */
  async end(): Promise<never> {
    process.kill(process.pid, this.signal);
    return await new Promise(() => {});
  }
}

/**
 * Runs the work with a signal that Ctrl-C aborts. The work then cleans up; a second Ctrl-C ends the
 * program at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => {
    forget();
    controller.abort(new Interruption(signal));
  };
  const forget = () => {
    for (const each of signals) process.off(each, interrupt);
  };
  for (const each of signals) process.on(each, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.reason ?? error;
  } finally {
    forget();
  }
}

/** A preview whose start did not end. */
interface Unfinished {
  readonly name: string;
  readonly folder: PreviewFolder;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the preview had been started before, so that it may contain data. */
  readonly wasStarted: boolean;
  readonly stderr: NodeJS.WritableStream;
}

/** After these, the containers are kept, because their logs have the cause. */
const keptAfter = new Set(['STACK_UNHEALTHY', 'SMOKE_FAILED']);

/**
 * Removes what a failed or interrupted first start created. An earlier preview is kept, because it has
 * data. Ends the program after an interruption.
 * @throws the error
 */
export async function undo(error: unknown, unfinished: Unfinished): Promise<never> {
  const { name, folder, env, wasStarted, stderr } = unfinished;
  const isKept = error instanceof LandfallError && keptAfter.has(error.code);
  const hasBegun = (await folder.readState()) !== undefined;
  const isInterrupted = error instanceof Interruption;
  const say = (text: string) => isInterrupted && stderr.write(`${cancelled(text)}\n`);
  if (!hasBegun) {
    say('nothing was created');
  } else if (wasStarted) {
    say(`preview ${name} is kept; run the command again, or remove it: ${downCommand(name)}`);
  } else if (!isKept) {
    say(`removing preview ${name}; if this is interrupted too, run: ${downCommand(name)}`);
    await removePreview(new Docker(env), folder, name);
    say(`preview ${name} was removed`);
  }
  if (isInterrupted) await error.end();
  throw error;
}

/** Returns the command that removes a preview. */
export function downCommand(name: string): string {
  return `landfall preview --down --name ${name}`;
}
