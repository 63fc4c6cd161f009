import { createHash } from 'node:crypto';

/** A file of a release on the stand-in. */
export interface StoredAsset {
  readonly id: number;
  readonly release: number;
  readonly name: string;
  bytes: Buffer;
  state: 'uploaded' | 'starter';
}

/** The files of all releases of the stand-in. */
export class HostedFiles {
  #all: StoredAsset[] = [];

  put(asset: StoredAsset): StoredAsset {
    this.#all.push(asset);
    return asset;
  }

  complete(asset: StoredAsset, bytes: Buffer): void {
    asset.bytes = bytes;
    asset.state = 'uploaded';
  }

  remove(asset: StoredAsset): void {
    this.#all = this.#all.filter((each) => each !== asset);
  }

  of(release: number): readonly StoredAsset[] {
    return this.#all.filter((each) => each.release === release);
  }

  byId(id: number): StoredAsset | undefined {
    return this.#all.find((each) => each.id === id);
  }

  /** Returns the files of a release as the API shows them. */
  shown(release: number): object[] {
    return this.of(release).map((asset) => this.shownOne(asset));
  }

  /** Returns a file as the API shows it; unfinished uploads have no digest. */
  shownOne({ id, name, bytes, state }: StoredAsset): object {
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    return { id, name, state, size: bytes.length, digest: state === 'uploaded' ? digest : null };
  }
}
