import type { LandfallError } from '#contract/errors.ts';
import { syncDisks } from '../host/packages/sync-disks.ts';
import { installedRelease } from './installed.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { Context, Stage, StageName } from './stage.ts';
import { StageError } from './stage-error.ts';

/** Hears what becomes of each stage: the status file, the console, the page. */
export interface Observer {
  started(stage: StageName): Promise<void>;
  /** Times in milliseconds: in all, and in our own code. */
  ended(stage: StageName, outcome: 'applied' | 'kept', times: Times): Promise<void>;
  failed(stage: StageName, error: LandfallError): Promise<void>;
}

interface Times {
  readonly took: number;
  readonly own: number;
}

/**
 * Runs stages one after another. A stage where all is as it should be is only proved; one that was
 * interrupted or failed before is applied again, whatever its check says.
 * @throws LandfallError STAGE_FAILED, or the code that the stage gave; what came before it stays
 */
export async function runStages(
  stages: readonly Stage[],
  context: Context,
  journal: Journal,
  observer: Observer,
): Promise<void> {
  for (const stage of stages) await runRecorded(stage, context, journal, observer, {});
}

/**
 * Runs one stage for a command, as a run of all stages would: recorded and proved. What is left of
 * the last run of all stages stays as it was.
 * @throws LandfallError STAGE_FAILED, or the code that the stage gave
 */
export async function runAlone(stage: Stage, context: Context, journal: Journal): Promise<void> {
  await runRecorded(stage, context, journal, unobserved, { alone: true });
}

const unobserved: Observer = {
  started: async () => {},
  ended: async () => {},
  failed: async () => {},
};

async function runRecorded(
  stage: Stage,
  context: Context,
  journal: Journal,
  observer: Observer,
  mark: Pick<JournalEntry, 'alone'>,
): Promise<void> {
  const record = (entry: Pick<JournalEntry, 'event'> & Partial<JournalEntry>) =>
    journal.add({ release: context.release.version, stage: stage.name, ...mark, ...entry });
  const times = timing(context);
  try {
    await observer.started(stage.name);
    const outcome = await runStage(stage, context, {
      mustApply: await journal.isUnfinished(stage.name),
      begin: () => record({ event: 'started' }),
    });
    await record({ event: outcome, ...times() });
    await observer.ended(stage.name, outcome, times());
  } catch (cause) {
    const error = new StageError(stage.name, cause, await isInstalled(context));
    // A full disk fails here too, and must not hide why the stage did.
    await record({ event: 'failed', code: error.code, ...times() }).catch(() => {});
    await observer.failed(stage.name, error);
    throw error;
  }
}

async function runStage(
  stage: Stage,
  context: Context,
  { mustApply, begin }: { mustApply: boolean; begin: () => Promise<void> },
): Promise<'applied' | 'kept'> {
  const todo = await stage.check(context);
  const outcome = mustApply || todo.length > 0 ? 'applied' : 'kept';
  if (outcome === 'applied') {
    await begin();
    await stage.apply(context);
  }
  await stage.prove(context);
  // Once the journal says that it is done, no power cut may take any of it away.
  if (outcome === 'applied') await syncDisks(context.host);
  return outcome;
}

/** Measures from now on; what the host waited for is not our own time. */
function timing({ host: { outside } }: Context): () => Times {
  const [begin, outsideBefore] = [performance.now(), outside.total];
  return () => {
    const took = performance.now() - begin;
    const own = Math.max(0, took - (outside.total - outsideBefore));
    return { took: Math.round(took), own: Math.round(own) };
  };
}

/** A disk that cannot be read must not hide why the stage failed. */
async function isInstalled({ host }: Context): Promise<boolean> {
  return (await installedRelease(host).catch(() => undefined)) !== undefined;
}
