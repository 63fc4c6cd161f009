import { join } from 'node:path';
import type { Release } from '#contract/bundle/release.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';

const folder = 'blobs/sha256/';

/** The blobs that a release brought with it, below its folder as in an OCI image layout. */
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

  /** Bytes of a blob, or nothing when the release has none of this digest. */
  sizeOf(digest: string): number | undefined {
    return this.#sizes.get(digest);
  }

  has(digest: string | null): digest is Digest {
    return digest !== null && isDigest(digest) && this.#sizes.has(digest);
  }

  /** Absolute path of a blob. */
  pathOf(digest: Digest): string {
    return join(this.#releaseFolder, folder, digest.slice('sha256:'.length));
  }
}
