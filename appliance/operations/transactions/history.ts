import { z } from 'zod';
import { updateHistoryFile } from '#contract/server-paths.ts';
import { readJson } from '#contract/text/json.ts';
import { readText, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { changes } from './kinds.ts';

const entrySchema = z.object({
  /** The end of the update. */
  at: z.iso.datetime(),
  id: z.string(),
  kind: z.enum(['update', 'rollback', 'restore', 'site']),
  from: z.string(),
  to: z.string(),
  /** SHA-256 of release.json of `to`. */
  manifest: z.string(),
  outcome: z.enum(['committed', 'rolled-back']),
  /** Milliseconds: from the first stage to the end, and without the chat UI; null if it stayed open. */
  took: z.int(),
  closed: z.int().nullable(),
  /** Whether `from` stayed on the server, with a copy of its data. */
  keepsPrevious: z.boolean().default(true),
  /** Why it was rolled back. */
  reason: z
    .object({
      code: z.string(),
      message: z.string(),
      problems: z.array(z.string()).default([]),
    })
    .nullable(),
});

/** An update that has ended. */
export type EndedUpdate = z.infer<typeof entrySchema>;

/** Returns the updates of this server, oldest first. Damaged lines are skipped. */
export async function readHistory(host: Host): Promise<EndedUpdate[]> {
  const lines = ((await readText(host, updateHistoryFile)) ?? '').split('\n');
  return lines.map((line) => readJson(entrySchema, line)).filter((entry) => entry !== undefined);
}

/**
 * Adds an update, unless it is recorded already. Returns what is recorded. It is on disk when this returns:
 * a server that forgets the entry at a power cut has no way back, and tries a failed release again.
 */
export async function addToHistory(host: Host, entry: EndedUpdate): Promise<EndedUpdate> {
  const recorded = (await readHistory(host)).find(({ id }) => id === entry.id);
  if (recorded) return recorded;
  const text = (await readText(host, updateHistoryFile)) ?? '';
  // An incomplete line would make this one unreadable.
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  await writeText(host, updateHistoryFile, `${before}${JSON.stringify(entry)}\n`);
  return entry;
}

async function readUpdates(host: Host): Promise<EndedUpdate[]> {
  return (await readHistory(host)).filter((entry) => changes('release', entry));
}

/**
 * Returns the restored backup that can be undone, with the copy of what it replaced: the last one, unless an update came
 * after it.
 */
export async function lastRestore(host: Host): Promise<EndedUpdate | undefined> {
  return restoreToUndo(await readHistory(host));
}

/** See {@link lastRestore}. A change of the site leaves the chats as they are. */
export function restoreToUndo(history: readonly EndedUpdate[]): EndedUpdate | undefined {
  const last = history.findLast(
    (entry) => entry.outcome === 'committed' && !changes('site', entry),
  );
  return last && changes('data', last) ? last : undefined;
}

/** Why a release was given up on this server. */
interface GivenUp {
  readonly at: string;
  readonly reason: string;
}

/**
 * Returns why a release must not be installed again without a request: the server or the administrator
 * went back from it, and it was not installed since.
 */
export async function whyGivenUp(
  host: Host,
  { version, manifest }: { readonly version: string; readonly manifest: string },
): Promise<GivenUp | undefined> {
  const last = (await readUpdates(host)).findLast(
    (entry) => entry.manifest === manifest || (entry.kind === 'rollback' && entry.from === version),
  );
  if (last?.outcome === 'rolled-back' && last.manifest === manifest) {
    return { at: last.at, reason: last.reason?.message ?? 'for an unknown reason' };
  }
  const isByHand = last?.kind === 'rollback' && last.from === version;
  return isByHand && last.outcome === 'committed'
    ? { at: last.at, reason: `the administrator went back to ${last.to}` }
    : undefined;
}

/** Returns the release before the current one, to which a rollback leads; undefined without one. */
export async function releaseBefore(
  host: Host,
  current: string,
): Promise<{ readonly version: string; readonly copy: string; readonly at: string } | undefined> {
  const last = (await readUpdates(host)).findLast(({ outcome }) => outcome === 'committed');
  if (last?.to !== current || !last.keepsPrevious) return undefined;
  return { version: last.from, copy: last.id, at: last.at };
}
