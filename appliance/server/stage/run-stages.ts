import type { LandfallError } from '#contract/errors.ts';
import { syncDisks } from '../host/packages/pending-sync.ts';
import { installedRelease } from './installed.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { Context, Stage, StageName } from './stage.ts';
import { StageError } from './stage-error.ts';
import { titleOf } from './stage-texts.ts';

/** Receives the events of the stages, for the status file, the console and the progress page. */
export interface Observer {
  started(stage: StageName): Promise<void>;
  /** Times in milliseconds: total, and without waiting for programs and the network. */
  ended(stage: StageName, outcome: 'applied' | 'kept', times: Times): Promise<void>;
  failed(stage: StageName, error: LandfallError): Promise<void>;
}

interface Times {
  readonly took: number;
  readonly own: number;
}

/**
 * Runs stages in order. A stage with nothing to do is only verified. A stage whose last run failed or
 * was interrupted is applied even if it has nothing to do.
 * @throws LandfallError STAGE_FAILED, or the code of the stage; earlier stages stay applied
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
 * Runs one stage for a command, with journal entries and verification. Does not change the recorded
 * state of the last run of all stages.
 * @throws LandfallError STAGE_FAILED, or the code of the stage
 */
export async function runAlone(stage: Stage, context: Context, journal: Journal): Promise<void> {
  await runRecorded(stage, context, journal, unobserved, { alone: true });
}

/**
 * Runs one stage as {@link runAlone}, and says its title first. A stage with nothing to do is left alone: it is not
 * verified.
 * @throws LandfallError STAGE_FAILED, or the code of the stage
 */
export async function runIfNeeded(stage: Stage, context: Context, journal: Journal): Promise<void> {
  // A check that fails is repeated, and recorded, by the run.
  const todo = await stage.check(context).catch(() => undefined);
  if (todo?.length === 0 && !(await journal.isUnfinished(stage.name))) return;
  context.report.say(titleOf(stage));
  await runAlone(stage, context, journal);
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
    // A failing write, such as on a full disk, must not hide the error of the stage.
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
  // All changes must be on disk before the journal records the stage as done.
  if (outcome === 'applied') await syncDisks(context.host);
  return outcome;
}

/** Starts a measurement. The own time excludes waiting for programs and the network. */
function timing({ host: { outside } }: Context): () => Times {
  const [begin, outsideBefore] = [performance.now(), outside.total];
  return () => {
    const took = performance.now() - begin;
    const own = Math.max(0, took - (outside.total - outsideBefore));
    return { took: Math.round(took), own: Math.round(own) };
  };
}

/** Returns false on a read error, which must not hide the error of the stage. */
async function isInstalled({ host }: Context): Promise<boolean> {
  return (await installedRelease(host).catch(() => undefined)) !== undefined;
}
