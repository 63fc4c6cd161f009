import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Digest, digestOf, hexOf } from '#contract/trust/digest.ts';

/** Identifies a blob (OCI image-spec, "Descriptors"). */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** The blobs of an OCI layout (OCI image-spec, "Image Layout"). */
export class BlobFolder {
  readonly #folder: string;

  constructor(layout: string) {
    this.#folder = join(layout, 'blobs', 'sha256');
  }

  async create(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
  }

  path(digest: Digest): string {
    return join(this.#folder, hexOf(digest));
  }

  async putJson(mediaType: string, value: unknown): Promise<Descriptor> {
    const bytes = Buffer.from(JSON.stringify(value));
    const digest = digestOf(bytes);
    await writeFile(this.path(digest), bytes);
    return { mediaType, digest, size: bytes.length };
  }

  async putStream(mediaType: string, source: AsyncIterable<Uint8Array>): Promise<Descriptor> {
    const partial = join(this.#folder, `partial-${randomUUID()}`);
    const hash = createHash('sha256');
    let size = 0;
    async function* measured(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    }
    await pipeline(source, measured, createWriteStream(partial));
    const digest: Digest = `sha256:${hash.digest('hex')}`;
    await rename(partial, this.path(digest));
    return { mediaType, digest, size };
  }
}
