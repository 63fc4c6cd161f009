import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { fileError } from '#files/file-error.ts';

const chunkSize = 1024 * 1024;

/**
 * Returns the SHA-256 of a file, 64 hex digits.
 * @param onBytes receives the number of bytes of each chunk
 * @throws LandfallError FILE_MISSING, FILE_ACCESS
 */
export async function sha256OfFile(
  path: string,
  onBytes: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkSize })) {
      hash.update(chunk as Buffer);
      onBytes((chunk as Buffer).length);
    }
    return hash.digest('hex');
  } catch (error) {
    throw fileError(error, path);
  }
}
