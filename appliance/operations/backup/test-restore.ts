import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { type BackupTarget, targetText } from '#contract/site/backup/targets.ts';
import { readJson } from '#contract/text/json.ts';
import { chatFactsSchema } from '../../server/chats/chat-facts.ts';
import { runOnVolume } from '../../server/chats/sandbox.ts';
import { backupCopy } from '../../server/chats/volume-copy.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { recordAt, storedBackups, type TargetResult } from '../../server/records/backups.ts';
import type { Context } from '../../server/stage/stage.ts';
import { differenceOf, manifestSchema } from './manifest.ts';
import { Restic } from './restic.ts';
import { countEntries, makeScratch, removeScratch } from './scratch.ts';
import { listSnapshots } from './snapshots.ts';

type TestContext = Pick<Context, 'host' | 'site' | 'releaseFolder'>;

/** Seconds for one target: 100 GB at 2 MB/s. */
const limit = 14 * 3600;
/** The scratch folder for restic. */
const inside = '/restored';

/**
 * Restores the last backup of a target into a scratch folder, checks that it is whole, and removes it.
 * Records the result.
 */
export async function testTarget(
  context: TestContext,
  target: BackupTarget,
): Promise<TargetResult> {
  const { host } = context;
  const name = targetText(target);
  let snapshot: string | null = null;
  const test = async () => {
    const restic = await Restic.at(context, target);
    await restic.unlock();
    snapshot = await lastSnapshot(restic);
    await testSnapshot(context, restic, snapshot);
  };
  const named = (error: unknown) => {
    throw error instanceof LandfallError ? testFailed(name, error) : error;
  };
  try {
    return await recordAt(
      host,
      name,
      () => test().catch(named),
      (lastTest) => ({ lastTest: { ...lastTest, snapshot } }),
    );
  } finally {
    await removeScratch(host);
  }
}

/** Returns the last backup that succeeded; the newest one if the state names none. */
async function lastSnapshot(restic: Restic): Promise<string> {
  const { targets } = await storedBackups.read(restic.host);
  const known = targets[restic.name]?.lastGood?.snapshot;
  const snapshots = await listSnapshots(restic);
  // The time of a snapshot may be wrong, and restic omits one whose file is damaged.
  const found = known === undefined ? snapshots[0] : snapshots.find(({ id }) => id === known);
  if (found) return found.id;
  const message = known ? `the backup ${known} is not in the list any more` : 'it has no backup';
  throw new LandfallError('BACKUP_DAMAGED', message, {
    hint: { en: 'Run: sudo landfall backup run', zh: '运行：sudo landfall backup run' },
  });
}

const statsSchema = z.object({ total_size: z.int(), total_file_count: z.int() });
/** Backups of every release have it. */
const countsSchema = manifestSchema.pick({ revision: true, users: true, chats: true });

async function testSnapshot(
  { host, releaseFolder }: TestContext,
  restic: Restic,
  id: string,
): Promise<void> {
  const args = ['stats', '--json', '--mode', 'restore-size', id];
  const printed = await restic.run(args, { seconds: 3600 });
  const stats = readJson(statsSchema, printed.trim());
  if (!stats) throw damaged(`restic printed no size of the backup ${id}`);
  const scratch = await makeScratch(host, stats.total_size);
  const folder = host.path(scratch);
  // restic verifies each blob as it reads it; --verify reads the written files again.
  const restore = ['restore', id, '--target', inside, '--verify'];
  await restic.run(restore, { target: [folder, inside], seconds: limit });
  const entries = await countEntries(folder);
  // Both versions count folders and links, too.
  if (entries < stats.total_file_count) {
    throw damaged(`${stats.total_file_count - entries} files of the backup ${id} are missing`);
  }
  const text = await readText(host, `${scratch}/backup/manifest.json`, scratch);
  const manifest = readJson(countsSchema, text);
  if (!manifest) throw damaged(`the backup ${id} has no manifest`);
  const data = `${folder}/backup/ui-data`;
  const counts = existsSync(data)
    ? await countsOf(host, releaseFolder, folder, data)
    : { revision: null, users: null, chats: null };
  const difference = differenceOf(manifest, counts);
  if (difference !== undefined) throw damaged(`the backup ${id} is not whole: ${difference}`);
}

/** Opens the restored databases in the sandbox, which checks and counts what they have. */
async function countsOf(host: Host, releaseFolder: string, folder: string, data: string) {
  await rename(data, `${folder}/${backupCopy}`);
  try {
    const printed = await runOnVolume(host, releaseFolder, 'backup-check', folder, 'backup-test');
    return chatFactsSchema.parse(JSON.parse(printed));
  } catch (cause) {
    if (!(cause instanceof LandfallError)) throw cause;
    const { problems } = cause;
    throw damaged('the restored databases cannot be opened', { problems, cause });
  }
}

function damaged(
  message: string,
  more: Pick<LandfallError, 'problems' | 'cause'> = { problems: [], cause: undefined },
): LandfallError {
  const hint = 'Run `sudo landfall backup run`, then `sudo landfall backup test` again.';
  return new LandfallError('BACKUP_DAMAGED', message, { hint, ...more });
}

function testFailed(name: string, cause: LandfallError): LandfallError {
  // The disk of this server, not of the target.
  if (cause.code === 'DISK_FULL' && !cause.message.startsWith(name)) return cause;
  const message = `the restore test of ${name} failed: ${cause.message}`;
  const { hint, problems, retriable } = cause;
  return new LandfallError('BACKUP_TEST_FAILED', message, { hint, problems, retriable, cause });
}
