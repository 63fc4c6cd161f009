import { open, rename, rm, unlink } from 'node:fs/promises';
import type { Digest } from '#contract/trust/digest.ts';
import { fileError } from '../files/file-error.ts';
import type { Statistics } from '../progress/statistics.ts';
import type { SignedHead } from '../sign/sign-release.ts';
import type { Entry } from './entry.ts';
import { TarFile } from './tar-file.ts';

interface BundleContents {
  readonly head: SignedHead;
  readonly entries: readonly Entry[];
  /** mtime of every member, in seconds since 1970. */
  readonly mtime: number;
}

export interface BundleDeps {
  /** Returns the path of a blob once it is in the store and verified. */
  readonly ready: (digest: Digest) => Promise<string>;
  readonly statistics: Statistics;
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Writes a bundle: head, files in order, end of archive. Blobs may still be in transfer; each is
 * awaited when it is next, so that disk and network work in parallel. The file gets its final name
 * only when it is complete.
 * @returns the size of the bundle in bytes
 * @throws LandfallError DISK_FULL, FILE_ACCESS and what `ready` throws
 */
export async function writeBundle(
  path: string,
  contents: BundleContents,
  deps: BundleDeps,
): Promise<number> {
  const temporary = `${path}.partial`;
  try {
    const size = await writeTemporary(temporary, contents, deps);
    // When a rename replaces a file, ext4 first writes the new one to the disk (auto_da_alloc,
    // ext4(5)). For a large bundle, this takes longer than the build.
    await removeFile(path);
    await rename(temporary, path);
    return size;
  } catch (error) {
    await rm(temporary, { force: true });
    throw fileError(error, path);
  }
}

async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function writeTemporary(
  path: string,
  contents: BundleContents,
  deps: BundleDeps,
): Promise<number> {
  const file = await open(path, 'w', 0o644);
  try {
    // Not synced, to save time: a bundle can be built again. One that a power failure corrupted is
    // rebuilt (`up-to-date.ts`) and fails verification.
    return await writeMembers(new TarFile(file, deps), contents, deps);
  } finally {
    await file.close();
  }
}

async function writeMembers(
  tar: TarFile,
  { head, entries, mtime }: BundleContents,
  { ready }: BundleDeps,
): Promise<number> {
  for (const [name, bytes] of head) {
    await tar.bytes({ name, size: bytes.length, mtime, executable: false }, bytes);
  }
  for (const { path: name, size, executable, content } of entries) {
    const member = { name, size, mtime, executable };
    if ('digest' in content) await tar.file(member, await ready(content.digest));
    else await tar.bytes(member, content);
  }
  return tar.end();
}
