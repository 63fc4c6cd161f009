import { z } from 'zod';
import { updateHistoryFile } from '#contract/server-paths.ts';
import { readJson } from '#contract/text/json.ts';
import type { Condition } from '../../server/conditions/condition.ts';
import { readText, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import type { Transaction } from '../../server/records/transaction.ts';
import { changes, kinds, nameOfState } from './kinds.ts';

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
 * Returns the transaction that an undo takes back; undefined if there is none. The last one that changed the
 * same can be undone, and a restored backup only until a release changes: a change of the site leaves
 * releases and chats as they are, and a restore leaves the releases.
 */
export function lastToUndo(
  history: readonly EndedUpdate[],
  what: 'release' | 'data',
): EndedUpdate | undefined {
  const last = history.findLast(
    (entry) =>
      entry.outcome === 'committed' &&
      (changes(what, entry) || (what === 'data' && changes('release', entry))),
  );
  return last && changes(what, last) ? last : undefined;
}

/**
 * Returns what an undo needs: the versions, and the IDs of the copies, that are kept.
 * @param current the running version
 */
export function keptAfter(history: readonly EndedUpdate[], current: string) {
  const update = releaseBefore(history, current);
  const restore = lastToUndo(history, 'data');
  return {
    releases: [current, ...(update ? [update.from] : [])],
    copies: [update, restore].flatMap((each) => each?.id ?? []),
  };
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
    ({ kind, from, ...entry }) =>
      entry.manifest === manifest || (kinds[kind].isReturn && from === version),
  );
  if (last?.outcome === 'rolled-back' && last.manifest === manifest) {
    return { at: last.at, reason: last.reason?.message ?? 'for an unknown reason' };
  }
  const isByHand = last && kinds[last.kind].isReturn && last.from === version;
  return isByHand && last.outcome === 'committed'
    ? { at: last.at, reason: `the administrator went back to ${last.to}` }
    : undefined;
}

/** Returns the update whose undo leads from the current release to the one before; undefined without one. */
export function releaseBefore(
  history: readonly EndedUpdate[],
  current: string,
): EndedUpdate | undefined {
  const update = lastToUndo(history, 'release');
  return update?.to === current && update.keepsPrevious ? update : undefined;
}

/** Returns what the administrator must know about a transaction that is not over. */
export function transactionCondition({
  kind,
  to,
  state,
  pass = null,
}: Pick<Transaction, 'kind' | 'to' | 'state'> & Partial<Pick<Transaction, 'pass'>>): Condition {
  if (state === 'stuck') {
    const name = kinds[kind].name(to);
    const { en, zh } =
      kind === 'update'
        ? { en: `the rollback of ${to}`, zh: `${to} 的回滚` }
        : { en: `${name.en}: the rollback`, zh: `${name.zh}：回滚` };
    const isClosed = pass !== null;
    return {
      ...{ topic: 'update stuck', subject: to, severity: 'broken' },
      what: {
        en: `${en} is stuck; nothing was deleted${isClosed ? '; the chat is closed' : ''}`,
        zh: `${zh}已停住；没有删除任何数据${isClosed ? '；对话已关闭' : ''}`,
      },
      command: 'sudo landfall update resume',
    };
  }
  const { topic } = kinds[kind];
  if (state === 'confirming') {
    const what = { en: 'a change waits for its confirmation', zh: '更改等待确认' };
    return { topic, severity: 'attention', what, command: 'sudo landfall confirm' };
  }
  const { en, zh } = kinds[kind].now(to);
  const what = { en: `${en} (${state})`, zh: `${zh}（${nameOfState(state).zh}）` };
  return { topic, severity: 'note', what, command: 'sudo landfall update status' };
}
