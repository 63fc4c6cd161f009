import { LandfallError } from '#contract/errors.ts';
import type { Journal } from './journal.ts';
import type { Context, Stage, StageName } from './stage.ts';

/** Hears what becomes of each stage: the status file, the console, the page. */
export interface Observer {
  started(stage: StageName): Promise<void>;
  /** Times in milliseconds: in all, and in our own code. */
  ended(
    stage: StageName,
    outcome: 'applied' | 'kept',
    times: { took: number; own: number },
  ): Promise<void>;
  failed(stage: StageName, error: LandfallError): Promise<void>;
}

/**
 * Runs stages one after another. A stage where all is as it should be is only proved; one that was
 * interrupted is applied again, whatever its check says.
 * @throws LandfallError STAGE_FAILED, or the code that the stage gave; what came before it stays
 */
export async function runStages(
  stages: readonly Stage[],
  context: Context,
  journal: Journal,
  observer: Observer,
): Promise<void> {
  for (const stage of stages) {
    await observer.started(stage.name);
    try {
      await runStage(stage, context, journal, observer);
    } catch (cause) {
      const error = asStageError(stage, cause);
      await journal.add({ ...entryOf(stage, context), event: 'failed', code: error.code });
      await observer.failed(stage.name, error);
      throw error;
    }
  }
}

async function runStage(
  stage: Stage,
  context: Context,
  journal: Journal,
  observer: Observer,
): Promise<void> {
  const { outside } = context.host;
  const [begin, outsideBefore] = [performance.now(), outside.total];
  const todo = await stage.check(context);
  const apply = todo.length > 0 || (await journal.wasInterrupted(stage.name));
  if (apply) {
    await journal.add({ ...entryOf(stage, context), event: 'started' });
    await stage.apply(context);
  }
  await stage.prove(context);
  const took = Math.round(performance.now() - begin);
  const own = Math.max(0, Math.round(took - (outside.total - outsideBefore)));
  const event = apply ? 'applied' : 'kept';
  await journal.add({ ...entryOf(stage, context), event, took, own });
  await observer.ended(stage.name, event, { took, own });
}

function entryOf(stage: Stage, { release }: Context) {
  return { release: release.version, stage: stage.name };
}

/** The reader hears which stage it was; code and remedy are those of what went wrong. */
function asStageError({ name }: Stage, cause: unknown): LandfallError {
  if (cause instanceof LandfallError) {
    return new LandfallError(cause.code, `${name}: ${cause.message}`, {
      hint: cause.hint ?? 'It is tried again by itself. The log: journalctl -u landfall-boot',
      problems: cause.problems,
      cause,
    });
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return new LandfallError('STAGE_FAILED', `${name}: ${message}`, {
    hint: 'Nobody foresaw this. Please report it with the log: journalctl -u landfall-boot',
    cause,
  });
}
