import { lstat, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { ChatFacts } from './chat-facts.ts';
import { copyNames, copyVolume, mergedFacts, writeList } from './volume-copy.ts';

// Copies for a restore, in the folder that Docker has for the volume, as those of an update. This code runs
// in a unit that sees nothing else (`sandbox.ts`).

/**
 * Copies the data of the chat UI, which must be stopped, as it is: a restore replaces it, so it may be
 * damaged.
 * @returns facts; undefined if a database is damaged
 */
export async function copyBeforeRestore(
  folder: string,
  id: string,
): Promise<ChatFacts | undefined> {
  try {
    return await copyVolume(folder, id);
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    await writeList(folder, id);
    return undefined;
  }
}

/** Where a backup is restored to, in the folder that Docker has for the volume. */
export const restoredFolder = '_data.restore';

/**
 * Makes the data of a restored backup a copy as that of an update, which can be swapped in.
 * @param folder absolute path of the volume's folder
 * @returns facts about the restored chats
 * @throws LandfallError STATE_INVALID for a damaged database, or a backup without data of the chat UI
 */
export async function adoptRestored(folder: string, id: string): Promise<ChatFacts> {
  const { copy } = copyNames(id);
  const source = join(folder, restoredFolder, 'backup/ui-data');
  if (!(await lstat(source).catch(() => undefined))?.isDirectory()) {
    throw new LandfallError('STATE_INVALID', 'the backup has no data of the chat UI');
  }
  await rename(source, join(folder, copy));
  const facts = await mergedFacts(join(folder, copy));
  await writeList(folder, id);
  return facts;
}

/**
 * Makes data that was swapped in and did not work a copy again: it may be the only state of before.
 * @param ids the transaction that has swapped it in, and the copy that it was, with a colon between
 */
export async function giveBack(folder: string, ids: string): Promise<void> {
  const [transaction = '', id = ''] = ids.split(':');
  const { copy, list } = copyNames(id);
  const { failed } = copyNames(transaction);
  const names = await readdir(folder);
  if (names.includes(failed) && !names.includes(copy)) {
    await rename(join(folder, failed), join(folder, copy));
  } else if (!names.includes(copy) || names.includes(list)) return;
  await mergedFacts(join(folder, copy)).catch(() => {});
  await writeList(folder, id);
}
