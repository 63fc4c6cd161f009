import { sha256 as noble } from '@noble/hashes/sha2.js';

/** Returns the SHA-256 of bytes, 32 bytes. WebCrypto is asynchronous, and missing on plain http. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return noble(bytes);
}

/** A SHA-256 of bytes that arrive in chunks. */
export class Sha256 {
  readonly #hash = noble.create();

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  /** Returns the SHA-256 of the chunks so far, 32 bytes. More chunks may follow. */
  digest(): Uint8Array {
    return this.#hash.clone().digest();
  }
}
