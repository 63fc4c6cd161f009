import type { FileHandle } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import type { HashedFile } from '../../hashed-file.ts';

/**
 * Reads a part of a file into a buffer that has the size of a part; the last part is smaller. Returns the
 * part, as a view of the buffer.
 * @throws LandfallError FILE_ACCESS when the file became smaller
 */
export async function readPart(
  handle: FileHandle,
  file: HashedFile,
  position: number,
  buffer: Buffer,
): Promise<Uint8Array> {
  const length = Math.min(buffer.length, file.size - position);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) {
      throw new LandfallError('FILE_ACCESS', `${file.path} changed during the upload`, {
        hint: 'Run the command again after the build has ended.',
      });
    }
    filled += bytesRead;
  }
  return buffer.subarray(0, length);
}
