import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { isMissing } from '#files/open-regular.ts';

/**
 * Rejects a file of another user. With sudo, it would get the owner root, and the user could not
 * change it anymore.
 * @param path absolute; if it is missing, its nearest existing parent counts
 * @throws LandfallError FILE_ACCESS
 */
export async function refuseOtherOwner(path: string): Promise<void> {
  const uid = await ownerOf(path);
  const own = process.getuid?.() ?? uid;
  if (uid === own) return;
  throw new LandfallError('FILE_ACCESS', `${path} belongs to another user (uid ${uid})`, {
    hint: 'Run the command as that user, without sudo.',
  });
}

async function ownerOf(path: string): Promise<number> {
  try {
    return (await stat(path)).uid;
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    return await ownerOf(dirname(path));
  }
}
