import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { journalFile } from '#contract/server-paths.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { type StageName, stageNames } from './stage.ts';

/**
 * `kept`: all was as it should be already. `started` without an ending after it: the run was
 * interrupted there.
 */
const entrySchema = z.object({
  at: z.iso.datetime(),
  release: z.string(),
  stage: z.enum(stageNames),
  event: z.enum(['started', 'applied', 'kept', 'failed']),
  /** Milliseconds that the stage took, and of those in our own code. */
  took: z.number().nonnegative().optional(),
  own: z.number().nonnegative().optional(),
  code: z.string().optional(),
});
export type JournalEntry = z.infer<typeof entrySchema>;

/**
 * What happened on this server, one JSON object a line, on disk before the next thing happens.
 * A line that a power cut left half written is passed over.
 */
export class Journal {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Adds an entry, durably. */
  async add(entry: Omit<JournalEntry, 'at'>): Promise<void> {
    const path = this.#host.path(journalFile);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    const line = JSON.stringify({ at: new Date().toISOString(), ...entry });
    // A torn line before this one must not swallow it.
    const torn = !((await readText(this.#host, journalFile)) ?? '\n').endsWith('\n');
    await appendFile(path, `${torn ? '\n' : ''}${line}\n`, { mode: 0o644 });
    const file = await open(path, 'r');
    await file.sync().finally(() => file.close());
  }

  /** All entries, the oldest first. */
  async entries(): Promise<JournalEntry[]> {
    const lines = ((await readText(this.#host, journalFile)) ?? '').split('\n');
    return lines.map(parse).filter((entry) => entry !== undefined);
  }

  /** Whether a stage was begun and neither ended nor failed: it may be half done. */
  async wasInterrupted(stage: StageName): Promise<boolean> {
    const last = (await this.entries()).findLast((entry) => entry.stage === stage);
    return last?.event === 'started';
  }
}

function parse(line: string): JournalEntry | undefined {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
