import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { versionSchema } from '#contract/bundle/version.ts';
import { transactionFile } from '#contract/server-paths.ts';
import type { Host } from '../host/host.ts';
import { readJsonFile, StateFile } from '../host/state-file.ts';

/**
 * The states of an update in order. Each names what is true, or what is being done:
 *
 * - `downloading`: files of `to` arrive in a folder of their own
 * - `staged`: the folder of `to` is complete, and Docker has its images
 * - `preparing`: the stages of `to` before the stack run, while the server is open
 * - `closed`: the gateway refuses requests to the chat UI, which is stopped and copied
 * - `copied`: the copy is complete and on disk
 * - `switching`: `to` is the current release, and its stack starts
 * - `verifying`: `to` is tested
 * - `confirming`: the site was changed and works; a new login must confirm it
 * - `committed`: `to` is installed; what remains is cleaning up
 * - `rolling-back`: the data and the stack of `from` come back
 * - `rolled-back`: `from` runs again; what remains is cleaning up
 * - `stuck`: the way back has failed too often. Nothing is deleted until `landfall update resume` ends it
 */
export const transactionStates = [
  'downloading',
  'staged',
  'preparing',
  'closed',
  'copied',
  'switching',
  'verifying',
  'confirming',
  'committed',
  'rolling-back',
  'rolled-back',
  'stuck',
] as const;
export type TransactionState = (typeof transactionStates)[number];

/** What an update changes. */
const planSchema = z.object({
  /** Services whose containers change; null if unknown. */
  changed: z.array(z.string()).nullable(),
  /** Of a changed site: the stages that have something to do. Null: all, as in a release. */
  stages: z.array(z.string()).nullable().default(null),
  /** Whether the server is closed for it: the chat UI or Ollama changes. */
  closes: z.boolean(),
  /** Seconds until a release that is not ready counts as failed. */
  limit: z.int().positive(),
  /**
   * Whether the chats are copied before `to` can change them, and `from` stays on the server. Without:
   * a failure leads back to `from` only if it can read the data as `to` left them; otherwise `to` stays.
   */
  keepsPrevious: z.boolean().default(true),
  /** Whether a new login must confirm it, because it could lock out the administrator. */
  confirms: z.boolean().default(false),
});

/** Why an update was rolled back. */
const reasonSchema = z.object({
  code: z.string(),
  message: z.string(),
  problems: z.array(z.string()).default([]),
});

/** Programs of other releases read and write this file, so unknown fields are ignored. */
const transactionSchema = z.object({
  schema: z.literal(1),
  id: z.uuid(),
  kind: z.enum(['update', 'rollback', 'restore', 'site']),
  /** Versions. */
  from: versionSchema,
  to: versionSchema,
  /** SHA-256 of release.json of `to`, 64 hex digits. */
  manifest: z.string().regex(/^[0-9a-f]{64}$/),
  state: z.enum(transactionStates),
  /** Begin of the first state, and of the current one. */
  began: z.iso.datetime(),
  since: z.iso.datetime(),
  /** How often the program was started that applies the update; of a rollback, how often it reached the data. */
  attempt: z.int().nonnegative().default(0),
  plan: planSchema.nullable().default(null),
  /** Where the bundle of `to` came from, for boot.json: its folders and the size of its parts. */
  source: z
    .object({ urls: z.array(z.string()), part: z.int().nullable() })
    .default({ urls: [], part: null }),
  /** Whether the timer started it, so that no person sees its end. */
  unattended: z.boolean().default(false),
  /** While set, the server is closed: only requests with this pass get through. 32 hex digits. */
  pass: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable()
    .default(null),
  /** ID of the earlier update whose copy a rollback puts in place of the data; null: data stays. */
  restoreFrom: z.uuid().nullable().default(null),
  /** When the server was closed. */
  closedAt: z.iso.datetime().nullable().default(null),
  /** Whether the copy was complete before `to` could change the data. */
  copied: z.boolean().default(false),
  /** Whether a rollback has put the data and the release of before in place. */
  restored: z.boolean().default(false),
  reason: reasonSchema.nullable().default(null),
});

/** An update that has begun and not ended. */
export type Transaction = z.infer<typeof transactionSchema>;
export type TransactionPlan = z.infer<typeof planSchema>;
export type RollbackReason = z.infer<typeof reasonSchema>;

/** Returns a transaction that begins now. */
export function newTransaction(
  fields: Pick<Transaction, 'kind' | 'from' | 'to' | 'manifest' | 'source'>,
): Transaction {
  const now = new Date().toISOString();
  return {
    ...{ schema: 1, id: randomUUID(), ...fields },
    ...{ state: 'downloading', began: now, since: now, attempt: 0 },
    ...{ plan: null, unattended: false, pass: null, restoreFrom: null },
    ...{ closedAt: null, copied: false, restored: false, reason: null },
  };
}

/** The open transaction, if there is one. */
export const storedTransaction = new StateFile(transactionFile, transactionSchema, {
  // It contains the pass.
  mode: 0o600,
  hint: 'Report this bug with the file. The release that /opt/landfall/current names is the one that runs.',
});

/** Returns whether a change of components closes the server; undefined if they are unknown. */
export function closesServer(components: readonly string[] | null | undefined) {
  return components?.some((name) => name === 'ui' || name === 'engine');
}

/** Whether a transaction is past the point where `discard` removes it: a program applies it. */
export function isApplying({ state }: Pick<Transaction, 'state'>): boolean {
  return state !== 'downloading' && state !== 'staged';
}

/** What a program needs that works for the driver of another release. These fields never change. */
const openSchema = z.object({
  id: z.string(),
  kind: transactionSchema.shape.kind.catch('update'),
  state: z.string().default(''),
  plan: transactionSchema.shape.plan.catch(null),
  pass: transactionSchema.shape.pass,
  restoreFrom: transactionSchema.shape.restoreFrom,
});

export type OpenTransaction = z.infer<typeof openSchema>;

/** What every release knows of the open transaction, if there is one. */
export const openTransaction = new StateFile(transactionFile, openSchema);

/** Returns the update that a program applies now, or that is being rolled back; undefined if none. */
export async function updateInProgress(
  host: Host,
): Promise<Pick<Transaction, 'kind' | 'to' | 'state'> | undefined> {
  const open = await readJsonFile(host, transactionFile, transactionSchema);
  return open && isApplying(open) ? { kind: open.kind, to: open.to, state: open.state } : undefined;
}

/** Returns the pass of a server that an update has closed; undefined if it is open. */
export async function passOf(host: Host): Promise<string | undefined> {
  return (await openTransaction.read(host))?.pass ?? undefined;
}
