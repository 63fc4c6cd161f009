import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { backupStateFile } from '#contract/server-paths.ts';
import { type BackupTarget, targetText } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Host } from '../host/host.ts';
import { StateFile } from '../host/state-file.ts';

const failureSchema = z.object({ code: z.string(), message: z.string() });

const runSchema = z.object({
  at: z.iso.datetime(),
  /** Milliseconds. */
  took: z.int().nonnegative(),
  /** Null: it succeeded. */
  failure: failureSchema.nullable(),
});

const sizeSchema = z.object({ at: z.iso.datetime(), total: z.int().nonnegative() });
export type BackupSize = z.infer<typeof sizeSchema>;

const targetSchema = z.object({
  /** When the repository was created. */
  created: z.iso.datetime(),
  lastRun: runSchema.nullable().default(null),
  lastGood: z
    .object({
      at: z.iso.datetime(),
      snapshot: z.string(),
      /** Bytes: all files, and what was added to the repository. */
      total: z.int().nonnegative(),
      added: z.int().nonnegative(),
    })
    .nullable()
    .default(null),
  lastCheck: runSchema.nullable().default(null),
  /** The last restore into a scratch folder, and the backup that was restored. */
  lastTest: runSchema.extend({ snapshot: z.string().nullable() }).nullable().default(null),
  /** Bytes of earlier backups, the oldest first; see `growth.ts`. */
  sizes: z.array(sizeSchema).default([]),
  /** Bytes on the file system of the target after the last good run; null if unknown. */
  space: z.object({ free: z.number(), size: z.number() }).nullable().default(null),
});
export type TargetState = z.infer<typeof targetSchema>;

const stateSchema = z.object({
  schema: z.literal(1),
  /** Whether a person has typed the end of the password: it is not on this server alone. */
  isConfirmed: z.boolean(),
  targets: z.record(z.string(), targetSchema),
  /** The server whose backups this one was restored from, by its tag, if there is one. */
  earlier: z
    .object({
      tag: z.string(),
      hostname: z.string(),
      /** When the administrator said that it is stopped for good. */
      stopped: z.iso.datetime().nullable(),
    })
    .nullable()
    .default(null),
});

/** Returns the state of a target whose repository was created now. */
export function newTarget(): TargetState {
  return targetSchema.parse({ created: new Date().toISOString() });
}

/** The state of the backups. Targets are named as in `targetText`. */
export type BackupState = z.infer<typeof stateSchema>;

export const storedBackups = new StateFile(backupStateFile, stateSchema, {
  initial: { schema: 1, isConfirmed: false, targets: {}, earlier: null },
});

/** Returns whether the site has a target that is not set up, or the password is not confirmed. */
export async function needsSetUp(host: Host, { backup }: Pick<Site, 'backup'>): Promise<boolean> {
  const { isConfirmed, targets } = await storedBackups.read(host);
  return backup?.to.some((target) => !isConfirmed || !targets[targetText(target)]) ?? false;
}

/**
 * Returns the targets of the site that are set up.
 * @throws LandfallError BACKUP_MISSING if there is none
 */
export async function preparedTargets(
  host: Host,
  { backup }: Pick<Site, 'backup'>,
): Promise<BackupTarget[]> {
  const { targets } = await storedBackups.read(host);
  const prepared = (backup?.to ?? []).filter((target) => targets[targetText(target)]);
  if (prepared.length > 0) return prepared;
  throw new LandfallError(
    'BACKUP_MISSING',
    inLanguage({ en: 'backups are not set up on this server', zh: '这台服务器没有初始化备份' }),
    {
      hint: { en: 'Run `sudo landfall backup init`.', zh: '运行 `sudo landfall backup init`。' },
    },
  );
}

/** The result for one target. */
export interface TargetResult {
  readonly target: string;
  /** Undefined: it succeeded. */
  readonly failure?: LandfallError;
}

/**
 * Does something at a target, and records when it began, how long it took and why it failed.
 * @param change returns what changes in the state of the target, also after a failure
 */
export async function recordAt(
  host: Host,
  target: string,
  work: () => Promise<void>,
  change: (run: z.infer<typeof runSchema>) => Partial<TargetState>,
): Promise<TargetResult> {
  const began = Date.now();
  const failure = await work().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof LandfallError) return error;
      throw error;
    },
  );
  const run = {
    at: new Date(began).toISOString(),
    took: Date.now() - began,
    failure: failure ? { code: failure.code, message: plainLine(failure.message, 500) } : null,
  };
  const state = await storedBackups.read(host);
  const before = state.targets[target];
  if (before) {
    const targets = { ...state.targets, [target]: { ...before, ...change(run) } };
    await storedBackups.write(host, { ...state, targets });
  }
  return { target, ...(failure && { failure }) };
}

/** Records that the server whose backups this one was restored from is stopped for good. */
export async function takeOverBackups(host: Host): Promise<void> {
  const state = await storedBackups.read(host);
  if (!state.earlier) return;
  const earlier = { ...state.earlier, stopped: new Date().toISOString() };
  await storedBackups.write(host, { ...state, earlier });
}
