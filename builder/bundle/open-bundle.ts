import { open } from 'node:fs/promises';
import { refusal } from '#contract/bundle/refusals.ts';
import { fileError } from '../files/file-error.ts';
import type { Reporter } from '../progress/reporter.ts';

/** An open bundle file, read sequentially from its start. */
interface OpenBundle {
  readonly content: AsyncIterable<Buffer>;
  /** Bytes. */
  readonly size: number;
  /**
   * Reads a part of a regular file, independent of `content`.
   * @throws LandfallError BUNDLE_TRUNCATED
   */
  readAt(position: number, size: number): Promise<Buffer>;
  close(): Promise<void>;
}

const chunkSize = 1024 * 1024;

/**
 * Opens a bundle for one sequential read and reports the progress as a transfer.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS
 */
export async function openBundle(path: string, reporter: Reporter): Promise<OpenBundle> {
  // A folder can be opened, but not read.
  const rethrow = (error: unknown): never => {
    throw fileError(error, path);
  };
  const file = await open(path, 'r').catch(rethrow);
  const { size } = await file.stat();
  const transfer = reporter.transfer('reading', size);
  async function* content(): AsyncGenerator<Buffer> {
    for (;;) {
      const { buffer, bytesRead } = await file
        .read(Buffer.allocUnsafe(chunkSize), 0, chunkSize)
        .catch(rethrow);
      if (bytesRead === 0) return;
      transfer.advance(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  }
  return {
    content: content(),
    size,
    async readAt(position, length) {
      const bytes = Buffer.alloc(length);
      for (let filled = 0; filled < length; ) {
        const rest = length - filled;
        const { bytesRead } = await file.read(bytes, filled, rest, position + filled);
        if (bytesRead === 0) throw truncated(rest, position + filled);
        filled += bytesRead;
      }
      return bytes;
    },
    async close() {
      transfer.end();
      await file.close();
    },
  };
}

function truncated(missing: number, position: number): Error {
  return refusal(
    'not-truncated',
    `the bundle is truncated: ${missing} bytes are missing after byte ${position}`,
  );
}
