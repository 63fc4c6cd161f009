import { join } from 'node:path';
import type { Release } from '#contract/bundle/release.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';

const folder = 'blobs/sha256/';

/** The image blobs of a bundle, stored as in an OCI image layout. */
export class ReleaseBlobs {
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #releaseFolder: string;

  constructor(release: Pick<Release, 'files'>, releaseFolder: string) {
    this.#releaseFolder = releaseFolder;
    this.#sizes = new Map(
      release.files
        .filter(({ path }) => path.startsWith(folder))
        .map(({ path, size }) => [`sha256:${path.slice(folder.length)}`, size]),
    );
  }

  /** Returns the size of a blob in bytes; undefined if the release does not contain it. */
  sizeOf(digest: string): number | undefined {
    return this.#sizes.get(digest);
  }

  has(digest: string | null): digest is Digest {
    return digest !== null && isDigest(digest) && this.#sizes.has(digest);
  }

  /** Returns the absolute path of a blob. */
  pathOf(digest: Digest): string {
    return join(this.#releaseFolder, folder, digest.slice('sha256:'.length));
  }
}
