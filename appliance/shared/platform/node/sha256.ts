import { createHash } from 'node:crypto';

/** Returns the SHA-256 of bytes, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

/** A SHA-256 of bytes that arrive in chunks. */
export class Sha256 {
  readonly #hash = createHash('sha256');

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  /** Returns the SHA-256 of the chunks so far, 32 bytes. More chunks may follow. */
  digest(): Uint8Array {
    return this.#hash.copy().digest();
  }
}
