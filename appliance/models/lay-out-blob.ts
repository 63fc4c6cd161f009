import { createHash } from 'node:crypto';
import { chmod, link, lstat, lutimes, open, rename, rm } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { hexOf } from '#contract/trust/digest.ts';
import { isMissing } from '../host/files.ts';
import { piecesOfFile } from '../host/pieces-of-file.ts';
import type { ModelBlob } from '../ollama/model-manifest.ts';

/** Places of a blob; all absolute. */
export interface BlobPlaces {
  /** In the folder of the release. */
  readonly source: string;
  /** In the engine's store, on one file system with `target`. */
  readonly unfinished: string;
  readonly target: string;
}

/**
 * Puts a blob into the engine's store: the same file under a second name where both lie on one file
 * system, a copy otherwise. What is in it is hashed either way, and so is a blob that is there
 * already, because the engine trusts a name. Its time is set to now: the engine throws away what is
 * older than an hour and not named by a manifest yet.
 * @param onBytes told of bytes as they are hashed
 * @throws LandfallError BLOB_DIGEST
 */
export async function layOutBlob(
  places: BlobPlaces,
  blob: ModelBlob,
  onBytes: (count: number) => void,
): Promise<void> {
  const { source, unfinished, target } = places;
  if (await isWhole(target, blob, onBytes)) return await touch(target);
  await rm(unfinished, { force: true });
  const isLinked = await linked(source, unfinished);
  const hex = isLinked
    ? await hashOf(unfinished, onBytes)
    : await copied(source, unfinished, onBytes);
  if (hex !== hexOf(blob.digest)) {
    await rm(unfinished, { force: true });
    throw new LandfallError('BLOB_DIGEST', `${source} is damaged`, {
      hint: 'The disk may be failing. Move the folder of the release away and run the bootstrap again.',
    });
  }
  await chmod(unfinished, 0o644);
  await touch(unfinished);
  await rename(unfinished, target);
}

/** Whether a blob that is there is what its name says. */
async function isWhole(
  path: string,
  { digest, size }: ModelBlob,
  onBytes: (count: number) => void,
): Promise<boolean> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size !== size) return false;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  let heard = 0;
  const hex = await hashOf(path, (count) => {
    heard += count;
    onBytes(count);
  });
  if (hex === hexOf(digest)) return true;
  onBytes(-heard);
  return false;
}

/** @returns whether it could be done: not from one file system to another, nor on every one */
async function linked(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (isMissing(error)) throw error;
    return false;
  }
}

async function hashOf(path: string, onBytes: (count: number) => void): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOfFile(path)) {
    hash.update(piece);
    onBytes(piece.length);
  }
  return hash.digest('hex');
}

async function copied(
  source: string,
  target: string,
  onBytes: (count: number) => void,
): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(target, 'wx', 0o644);
  try {
    for await (const piece of piecesOfFile(source)) {
      hash.update(piece);
      await file.writeFile(piece);
      onBytes(piece.length);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await lutimes(path, now, now);
}
