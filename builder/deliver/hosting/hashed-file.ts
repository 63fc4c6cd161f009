import { sha256OfFile } from '../../base/files/sha256-of-file.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import type { ReleaseFile } from './release-files.ts';

/** A file with the digest of its bytes. */
export interface HashedFile extends ReleaseFile {
  /** SHA-256, 64 hex digits. */
  readonly sha256: string;
}

/** Reads all files once and returns them with their digests. @throws LandfallError FILE_ACCESS */
export async function hashFiles(
  files: readonly ReleaseFile[],
  reporter: Reporter,
): Promise<HashedFile[]> {
  const hashed: HashedFile[] = [];
  for (const file of files) hashed.push({ ...file, sha256: await hashFile(file, reporter) });
  return hashed;
}

async function hashFile({ name, path, size }: ReleaseFile, reporter: Reporter): Promise<string> {
  const transfer = reporter.transfer(`reading ${name}`, size);
  try {
    return await sha256OfFile(path, (bytes) => transfer.advance(bytes));
  } finally {
    transfer.end();
  }
}
