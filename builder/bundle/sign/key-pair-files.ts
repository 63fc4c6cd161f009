import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { fileError, orFileError } from '#files/file-error.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { ignoreInGit, workTreeOf } from '../../base/files/git.ts';
import type { GeneratedKey } from './generate-key.ts';
import { keyFolder } from './key-folder.ts';

/** The files of a key pair, as absolute paths. */
export interface KeyPairFiles {
  readonly privateKey: string;
  readonly publicKey: string;
  /** The git work tree that the private key is in, if any. */
  readonly workTree: string | undefined;
}

/**
 * Writes `<base>.key`, readable only by the user, and `<base>.pub`. In a git work tree and in the key
 * folder (users also keep settings in git), adds the private key to .gitignore.
 * @param base absolute path without extension
 * @throws LandfallError KEY_EXISTS, FILE_ACCESS, DISK_FULL
 */
export async function writeKeyPair(
  base: string,
  pair: GeneratedKey,
  env: NodeJS.ProcessEnv,
): Promise<KeyPairFiles> {
  const folder = dirname(base);
  const isOurs = folder === keyFolder(env);
  await orFileError(folder, makeFolder(folder, isOurs ? 0o700 : 0o777));
  const workTree = await workTreeOf(folder);
  if (isOurs || workTree) await ignoreInGit(folder, ['*.key']);
  const [privateKey, publicKey] = [`${base}.key`, `${base}.pub`];
  await writeNew(privateKey, pair.privatePem, 0o600);
  await writeNew(publicKey, pair.publicPem, 0o644).catch(async (error: unknown) => {
    await rm(privateKey, { force: true });
    throw error;
  });
  return { privateKey, publicKey, workTree };
}

/** Never overwrites a file: a lost key cannot be restored. */
async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(error, path);
    throw new LandfallError('KEY_EXISTS', `${path} already exists`, {
      hint: 'Use this key for all your releases and skip this step, or create another one with --name or --output.',
      cause: error,
    });
  }
}
