import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Large enough that reading is not what takes time. Bytes. */
const pieceSize = 1 << 20;

/**
 * The content of a file, which is no link. Each piece takes the place of the one before, so memory
 * stays flat: done with a piece before asking for the next.
 * @param path absolute
 */
export async function* piecesOfFile(path: string): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(pieceSize);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceSize, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
