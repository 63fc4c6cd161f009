import { open } from 'node:fs/promises';
import { fileError } from '../files/file-error.ts';
import type { Reporter } from '../progress/reporter.ts';

/** An open bundle file, read sequentially from its start. */
interface OpenBundle {
  readonly content: AsyncIterable<Buffer>;
  /** Bytes. */
  readonly size: number;
  close(): Promise<void>;
}

const chunkSize = 1024 * 1024;

/**
 * Opens a bundle for one sequential read and reports the progress as a transfer.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS
 */
export async function openBundle(path: string, reporter: Reporter): Promise<OpenBundle> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw fileError(error, path);
  });
  const { size } = await file.stat();
  const transfer = reporter.transfer('reading', size);
  async function* content(): AsyncGenerator<Buffer> {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize);
      if (bytesRead === 0) return;
      transfer.advance(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  }
  return {
    content: content(),
    size,
    async close() {
      transfer.end();
      await file.close();
    },
  };
}
