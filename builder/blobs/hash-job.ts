import type { ChunkTarget } from './hash-messages.ts';

/** The hash of one content. */
export interface HashJob {
  /**
   * Takes over a chunk. Returns its buffer once the chunk is hashed and, with a target, written.
   * @throws Error with the `code` of the failed write
   */
  chunk(buffer: ArrayBuffer, length: number, target?: ChunkTarget): Promise<ArrayBuffer>;
  /** Returns the SHA-256 of all chunks in hex and ends the job. */
  digest(): Promise<string>;
  /** Ends the job without a digest. */
  forget(): void;
}
