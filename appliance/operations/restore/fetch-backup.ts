import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { type ChatFacts, chatFactsSchema } from '../../server/chats/chat-facts.ts';
import { restoredFolder } from '../../server/chats/restored-copy.ts';
import { runOnVolume } from '../../server/chats/sandbox.ts';
import { removeCopy } from '../../server/chats/volume-copy.ts';
import { diskFull, expectSpace, freeSpace } from '../../server/host/free-space.ts';
import type { Context } from '../../server/stage/stage.ts';
import { differenceOf } from '../backup/manifest.ts';
import { type ChosenBackup, damaged } from './choose-backup.ts';
import { cleanSettings } from './restored-settings.ts';

/** A backup whose files are on this server, beside the data of the chat UI. */
export interface FetchedBackup {
  /** Absolute path of its settings: `etc/landfall` and `var/lib/landfall` below it. */
  readonly settings: string;
  /** Undefined for a server without a chat UI. */
  readonly facts: ChatFacts | undefined;
  /** Paths of files that are not restored: invalid secrets, and what lego would run. */
  readonly leftOut: readonly string[];
  /** Removes the settings, which contain secrets. */
  remove(): Promise<void>;
}

/** Bytes that must stay free. */
const reserve = 512 << 20;
/** Seconds: 100 GB at 2 MB/s. */
const limit = 14 * 3600;

/**
 * Checks that a backup fits on this server.
 * @param volume absolute path of the folder that Docker has for the data of the chat UI
 * @param more bytes that are needed besides
 * @throws LandfallError DISK_FULL
 */
export async function expectSpaceForBackup(
  { host }: Pick<Context, 'host'>,
  { size }: Pick<ChosenBackup, 'size'>,
  volume: string,
  more = 0,
): Promise<void> {
  const { free } = await freeSpace(host, volume.slice(host.root.length));
  expectSpace({
    needed: size + more + reserve,
    free,
    message: (all, left) =>
      `the restore needs ${all} (the backup has ${formatBytes(size)}), but ${left} are free`,
  });
}

/**
 * Restores the files of a backup beside the data of the chat UI, and checks them. The data itself does not
 * change.
 * @param volume absolute path of the folder that Docker has for the data of the chat UI
 * @param id of the copy that the restored data becomes; see `swapIn`
 * @throws LandfallError BACKUP_DAMAGED if the manifest does not describe it, DISK_FULL, BACKUP_…
 */
export async function fetchBackup(
  { host, releaseFolder }: Pick<Context, 'host' | 'releaseFolder'>,
  { restic, snapshot, manifest }: ChosenBackup,
  volume: string,
  id: string,
): Promise<FetchedBackup> {
  const folder = join(volume, restoredFolder);
  const remove = () => rm(folder, { recursive: true, force: true });
  await remove();
  await mkdir(folder, { mode: 0o700 });
  try {
    const args = ['restore', snapshot.id, '--target', '/restored', '--no-lock'];
    const target = [folder, '/restored'] as const;
    await restic.run(args, { target, seconds: limit }).catch(nameFullDisk);
    const settings = join(folder, 'backup');
    const { odd, leftOut } = await cleanSettings(settings);
    if (odd !== undefined) throw damaged(restic, snapshot, `${odd} is not what a backup has`);
    const hasChats = manifest.users !== null || manifest.revision !== null;
    const facts = hasChats
      ? await adopt(host, releaseFolder, volume, id).catch((error: unknown) => {
          if (!(error instanceof LandfallError) || error.code !== 'COMMAND_FAILED') throw error;
          const why = error.problems.at(-1)?.message ?? error.message;
          throw damaged(restic, snapshot, why);
        })
      : undefined;
    const wrong = facts && differenceOf(manifest, facts);
    if (wrong !== undefined) throw damaged(restic, snapshot, wrong);
    return { settings, facts, leftOut, remove };
  } catch (error) {
    await remove();
    await removeCopy(volume, id);
    throw error;
  }
}

/** restic names the repository, but this server is full. */
function nameFullDisk(error: unknown): never {
  if (!(error instanceof LandfallError) || error.code !== 'DISK_FULL') throw error;
  throw diskFull('the disk of this server became full during the restore', undefined, error);
}

async function adopt(
  host: Context['host'],
  releaseFolder: string,
  volume: string,
  id: string,
): Promise<ChatFacts> {
  const printed = await runOnVolume(host, releaseFolder, 'adopt-restored', volume, id);
  return chatFactsSchema.parse(JSON.parse(printed));
}
