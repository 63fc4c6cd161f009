import { join } from 'node:path';
import type { Digest } from '#contract/digest.ts';
import { hexOf } from '#contract/digest.ts';
import type { Descriptor } from './blob.ts';

/** A folder of blobs under their digests: `blobs/sha256/<hex>`, unfinished ones in `partial/`. */
export class BlobStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Opens (and makes) a store; default `$XDG_CACHE_HOME/landfall`, else `~/.cache/landfall`. */
  static async open(folder = ''): Promise<BlobStore> {
    return new BlobStore(folder);
  }

  /** Where a blob is, or would be. */
  path(digest: Digest): string {
    return join(this.folder, 'blobs', 'sha256', hexOf(digest));
  }

  /** Tells whether a blob of this digest and exact size is there; does not hash. */
  async has(_descriptor: Descriptor): Promise<boolean> {
    return false;
  }

  /** Stores bytes in memory and gives their descriptor. */
  async put(_bytes: Buffer, _mediaType: string): Promise<Descriptor> {
    throw new Error('not yet');
  }

  /** Links a file that was just verified into the store; copies where links are not possible. */
  async adopt(_file: string, _descriptor: Descriptor): Promise<void> {
    throw new Error('not yet');
  }
}
