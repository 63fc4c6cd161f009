import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Bytes. Large enough to make the cost of system calls negligible. */
const chunkSize = 1 << 20;

/**
 * Yields the content of a regular file in chunks; fails for a symbolic link. All chunks share one
 * buffer, so the caller must finish with a chunk before requesting the next.
 * @param path absolute
 */
export async function* readChunks(path: string): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkSize);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkSize, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
