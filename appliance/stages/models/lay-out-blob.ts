import { createHash } from 'node:crypto';
import { chmod, link, lstat, lutimes, open, rename, rm } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { hexOf } from '#contract/trust/digest.ts';
import { isMissing } from '#files/open-regular.ts';
import { readChunks } from '../../server/host/read-chunks.ts';
import type { ModelBlob } from '../../server/ollama/store.ts';

/** Absolute paths of a blob. */
interface BlobPaths {
  /** In the folder of the release. */
  readonly source: string;
  /** In Ollama's store, on the same file system as `target`. Both start at the handle of a folder. */
  readonly unfinished: string;
  readonly target: string;
}

/**
 * Adds a blob to Ollama's store, as a hard link on the same file system, otherwise as a copy. The
 * content is always hashed, also of an existing blob, because Ollama trusts file names. The mtime is
 * set to now: Ollama removes blobs that are older than an hour and not in a manifest.
 * @param onBytes called with the number of bytes hashed
 * @throws LandfallError BLOB_DIGEST
 */
export async function layOutBlob(
  paths: BlobPaths,
  blob: ModelBlob,
  onBytes: (count: number) => void,
): Promise<void> {
  const { source, unfinished, target } = paths;
  if (await isWhole(target, blob, onBytes)) return await touch(target);
  await rm(unfinished, { force: true });
  // Mode and time are those of the source, because Ollama could replace the link.
  const isLinked = await linked(source, unfinished);
  const hex = isLinked
    ? await hashOf(source, blob.size, onBytes)
    : await copied(source, unfinished, onBytes);
  if (hex !== hexOf(blob.digest)) {
    await rm(unfinished, { force: true });
    throw new LandfallError('BLOB_DIGEST', `${source} is damaged`, {
      hint: 'Check the disk, then move the folder of the release away and run the bootstrap again.',
    });
  }
  if (isLinked) {
    await chmod(source, 0o644);
    await touch(source);
  }
  await rename(unfinished, target);
}

/** Returns whether an existing blob matches its digest. */
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
  const hex = await hashOf(path, size, (count) => {
    heard += count;
    onBytes(count);
  });
  if (hex === hexOf(digest)) return true;
  onBytes(-heard);
  return false;
}

/** Creates a hard link. @returns false if the file systems do not support it */
async function linked(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (isMissing(error)) throw error;
    return false;
  }
}

/** Hashes a file, at most one chunk beyond its expected size, because Ollama could make it grow. */
async function hashOf(
  path: string,
  size: number,
  onBytes: (count: number) => void,
): Promise<string> {
  const hash = createHash('sha256');
  let total = 0;
  for await (const piece of readChunks(path)) {
    hash.update(piece);
    onBytes(piece.length);
    total += piece.length;
    if (total > size) break;
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
    for await (const piece of readChunks(source)) {
      hash.update(piece);
      await file.writeFile(piece);
      onBytes(piece.length);
    }
    await file.chmod(0o644);
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
