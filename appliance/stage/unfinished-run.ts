import type { Host } from '../host/host.ts';
import { Journal, type JournalEntry } from './journal.ts';
import { type StageName, stageNames } from './stage.ts';

/** A run of the stages that did not come to its end. */
export interface UnfinishedRun {
  readonly end: 'failed' | 'interrupted';
  /** Where it failed; the last one that is known to have been begun, where it was interrupted. */
  readonly stage: StageName;
  /** Why it failed. */
  readonly code?: string | undefined;
}

/**
 * How the last run of the stages ended, where that was not well. The journal lies on disk, so this is
 * known after a reboot too. It takes for granted that no run goes on.
 */
export async function unfinishedRun(host: Host): Promise<UnfinishedRun | undefined> {
  const entries = await new Journal(host).entries();
  // A stage that ran well for a command says nothing about the run before it.
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
