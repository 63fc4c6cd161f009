import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { fileError } from '../files/file-error.ts';
import type { Reporter } from '../progress/reporter.ts';
import type { ReleaseFile } from './release-files.ts';

/** A file with the digest of its bytes. */
export interface HashedFile extends ReleaseFile {
  /** SHA-256, 64 hex digits. */
  readonly sha256: string;
}

const chunkSize = 1024 * 1024;

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
  const hash = createHash('sha256');
  const transfer = reporter.transfer(`reading ${name}`, size);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkSize })) {
      hash.update(chunk as Buffer);
      transfer.advance((chunk as Buffer).length);
    }
    return hash.digest('hex');
  } catch (error) {
    throw fileError(error, path);
  } finally {
    transfer.end();
  }
}
