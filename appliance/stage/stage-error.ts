import { LandfallError } from '#contract/errors.ts';
import { retryAdvice } from './retry-advice.ts';
import type { StageName } from './stage.ts';

/** A stage that failed. It has the code, the problems and the hint of its cause. */
export class StageError extends LandfallError {
  readonly stage: StageName;
  /** Whether an earlier first boot came to its end here, so that systemd does not retry. */
  readonly installed: boolean;

  /** @param cause what the stage threw; what is no LandfallError becomes STAGE_FAILED */
  constructor(stage: StageName, cause: unknown, installed: boolean) {
    const known = cause instanceof LandfallError ? cause : unforeseen(cause, installed);
    super(known.code, `${stage}: ${known.message}`, {
      hint: known.hint ?? (installed ? undefined : log),
      problems: known.problems,
      retriable: known.retriable,
      cause,
    });
    this.stage = stage;
    this.installed = installed;
  }
}

/** On an installed server the person who ran it has seen the output; it is in no log. */
const log = 'See the log: sudo journalctl -u landfall-boot';

function unforeseen(cause: unknown, installed: boolean): LandfallError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new LandfallError('STAGE_FAILED', message, {
    hint: installed
      ? 'This is a bug: please report it with the lines above.'
      : 'This is a bug: please report it with the log: sudo journalctl -u landfall-boot',
  });
}

/** Returns what to say of a retry below an error; nothing for one that no stage threw. */
export function retryOf(error: unknown): string | undefined {
  return error instanceof StageError ? retryAdvice(error, error.installed) : undefined;
}
