import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { journalFile } from '#contract/server-paths.ts';
import { readJson } from '#contract/text/json.ts';
import { syncFolder } from '#files/sync-folder.ts';
import { readText, statIfPresent, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { type StageName, stageNames } from './stage.ts';

/**
 * `kept`: the stage had nothing to do. `started` without a later event of the stage: the run was
 * interrupted.
 */
const entrySchema = z.object({
  at: z.iso.datetime(),
  release: z.string(),
  stage: z.enum(stageNames),
  event: z.enum(['started', 'applied', 'kept', 'failed']),
  /** Milliseconds: total, and without waiting for programs and the network. */
  took: z.number().nonnegative().optional(),
  own: z.number().nonnegative().optional(),
  code: z.string().optional(),
  /** Only this stage ran, for a command such as `landfall secret set`. */
  alone: z.literal(true).optional(),
});
export type JournalEntry = z.infer<typeof entrySchema>;

/** Size in bytes above which old entries are removed, because retries may go on for weeks. */
const max = 1 << 20;
const entriesKept = 1000;

/**
 * The log of stage events, one JSON object per line. Entries are synced to disk before the stages
 * continue. A line truncated by a power cut is skipped.
 */
export class Journal {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Appends an entry durably. */
  async add(entry: Omit<JournalEntry, 'at'>): Promise<void> {
    const path = this.#host.path(journalFile);
    const size = (await statIfPresent(this.#host, journalFile))?.size;
    if (size === undefined) await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    else if (size > max) await this.#forget();
    const line = JSON.stringify({ at: new Date().toISOString(), ...entry });
    const file = await open(path, 'a+', 0o644);
    try {
      // Start a new line after a truncated one.
      await file.appendFile(`${(await endsTorn(file)) ? '\n' : ''}${line}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    if (size === undefined) await syncFolder(dirname(path));
  }

  /** Returns all entries, oldest first. */
  async entries(): Promise<JournalEntry[]> {
    const lines = ((await readText(this.#host, journalFile)) ?? '').split('\n');
    return lines.map((line) => readJson(entrySchema, line)).filter((entry) => entry !== undefined);
  }

  /** Reports whether the last run of a stage failed or was interrupted. */
  async isUnfinished(stage: StageName): Promise<boolean> {
    const last = (await this.entries()).findLast((entry) => entry.stage === stage);
    return last?.event === 'started' || last?.event === 'failed';
  }

  /** Removes the oldest entries, except the last one of each stage. */
  async #forget(): Promise<void> {
    const entries = await this.entries();
    const lasting = new Set([
      ...stageNames.map((name) => entries.findLast(({ stage }) => stage === name)),
      ...entries.slice(-entriesKept),
    ]);
    const lines = entries.filter((entry) => lasting.has(entry)).map((each) => JSON.stringify(each));
    await writeText(this.#host, journalFile, lines.map((line) => `${line}\n`).join(''));
  }
}

async function endsTorn(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
}

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
  const isComplete = newest?.event === 'applied' || newest?.event === 'kept';
  const last = newest?.alone && isComplete ? entries.findLast(({ alone }) => !alone) : newest;
  if (last === undefined) return undefined;
  const { stage, event, code } = last;
  if (event === 'failed') return { end: 'failed', stage, code };
  if (event !== 'started' && stage === stageNames.at(-1)) return undefined;
  return { end: 'interrupted', stage };
}
