import { LandfallError } from '#contract/errors.ts';
import { Docker } from './docker/docker.ts';
import { Interruption } from './interrupt.ts';
import { removePreview } from './remove.ts';
import type { PreviewFolder } from './state.ts';

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
  const say = (text: string) => isInterrupted && stderr.write(`cancelled: ${text}\n`);
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
