import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { updateHistoryFile } from '#contract/server-paths.ts';
import { readJson } from '#contract/text/json.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

const entrySchema = z.object({
  /** The end of the update. */
  at: z.iso.datetime(),
  id: z.string(),
  kind: z.enum(['update', 'rollback']),
  from: z.string(),
  to: z.string(),
  /** SHA-256 of release.json of `to`. */
  manifest: z.string(),
  outcome: z.enum(['committed', 'rolled-back']),
  /** Milliseconds: from the first stage to the end, and without the chat UI; null if it stayed open. */
  took: z.int(),
  closed: z.int().nullable(),
  /** Why it was rolled back. */
  reason: z.object({ code: z.string(), message: z.string() }).nullable(),
});

/** An update that has ended. */
export type EndedUpdate = z.infer<typeof entrySchema>;

/** Returns the updates of this server, oldest first. Damaged lines are skipped. */
export async function readHistory(host: Host): Promise<EndedUpdate[]> {
  const lines = ((await readText(host, updateHistoryFile)) ?? '').split('\n');
  return lines.map((line) => readJson(entrySchema, line)).filter((entry) => entry !== undefined);
}

/** Adds an update. One that is recorded already is not added again. */
export async function addToHistory(host: Host, entry: EndedUpdate): Promise<void> {
  if ((await readHistory(host)).some(({ id }) => id === entry.id)) return;
  const path = host.path(updateHistoryFile);
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await appendFile(path, `${JSON.stringify(entry)}\n`);
}

/**
 * Returns why a release must not be installed again without a request: it was rolled back, and not
 * installed since. @param manifest SHA-256 of its release.json
 */
export async function failureOfRelease(
  host: Host,
  manifest: string,
): Promise<EndedUpdate | undefined> {
  const last = (await readHistory(host)).findLast((entry) => entry.manifest === manifest);
  return last?.outcome === 'rolled-back' ? last : undefined;
}
