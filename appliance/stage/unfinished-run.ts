import type { Host } from '../host/host.ts';
import { Journal, type JournalEntry } from './journal.ts';
import { type StageName, stageNames } from './stage.ts';

/** A run of the stages that did not complete. */
export interface UnfinishedRun {
  readonly end: 'failed' | 'interrupted';
  /** The stage that failed; for an interrupted run, the last one known to have started. */
  readonly stage: StageName;
  /** Error code of a failed run. */
  readonly code?: string | undefined;
}

/**
 * Returns the last run of the stages if it failed or was interrupted. Reads the journal, which
 * survives a reboot. Assumes that no run is in progress.
 */
export async function unfinishedRun(host: Host): Promise<UnfinishedRun | undefined> {
  const entries = await new Journal(host).entries();
  // A stage that a command ran successfully does not complete the run before it.
  const newest = entries.at(-1);
  const last = newest?.alone && isGood(newest.event) ? entries.findLast(isOfRun) : newest;
  if (last === undefined) return undefined;
  const { stage, event, code } = last;
  if (event === 'failed') return { end: 'failed', stage, code };
  if (event !== 'started' && stage === stageNames.at(-1)) return undefined;
  return { end: 'interrupted', stage };
}

function isOfRun({ alone }: JournalEntry): boolean {
  return alone !== true;
}

function isGood(event: JournalEntry['event']): boolean {
  return event === 'applied' || event === 'kept';
}
