import type { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import type { Platform } from '../../base/platform.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { Document } from '../registry/document.ts';
import { DocumentCache } from '../registry/document-cache.ts';
import type { ImportParts } from './import-blob.ts';
import { type ArchiveContents, readArchive } from './read-archive.ts';
import { resolveImage } from './resolve-image.ts';
import type { ImageSource, ResolvedImage } from './source.ts';

/** The origin of an image archive that is read as one stream. */
export interface ArchiveOrigin {
  /** For messages and the progress row. */
  readonly name: string;
  /** Opens the stream; `size` is in bytes and may be an estimate. */
  readonly open: () => Promise<{ readonly stream: Readable; readonly size: number }>;
  /** Finds the root document of the image in the content. */
  readonly root: (contents: ArchiveContents, documents: DocumentCache) => Promise<Document>;
}

export interface LocalParts extends ImportParts {
  readonly reporter: Reporter;
}

/** An image in an archive. Resolving it imports everything into the store. */
export class ArchiveSource implements ImageSource {
  readonly #origin: ArchiveOrigin;
  readonly #parts: LocalParts;
  readonly #documents: DocumentCache;
  #reading: Promise<ArchiveContents> | undefined;

  constructor(origin: ArchiveOrigin, parts: LocalParts) {
    this.#origin = origin;
    this.#parts = parts;
    this.#documents = new DocumentCache(parts.store);
  }

  async resolve(platforms: readonly Platform[]): Promise<ResolvedImage> {
    const { name, root } = this.#origin;
    const document = await root(await this.#read(), this.#documents);
    const stored = (descriptor: Descriptor) =>
      this.#documents.fetched(descriptor, name, () => this.fetch(descriptor));
    return resolveImage(document, platforms, { name, manifest: stored, config: stored });
  }

  async fetch(blob: Descriptor): Promise<void> {
    await this.#read();
    if (!(await this.#parts.store.has(blob))) throw lacks(this.#origin.name, blob);
  }

  /** Imports the archive once; later calls share the result. */
  #read(): Promise<ArchiveContents> {
    this.#reading ??= this.#import();
    return this.#reading;
  }

  async #import(): Promise<ArchiveContents> {
    const { name, open } = this.#origin;
    const { stream, size } = await open();
    const transfer = this.#parts.reporter.transfer(name, size);
    stream.on('data', (chunk: Buffer) => transfer.advance(chunk.length));
    // The listener has started the stream; pause it until the archive is read.
    stream.pause();
    try {
      return await readArchive(stream, name, this.#parts);
    } finally {
      transfer.end();
    }
  }
}

function lacks(name: string, { digest }: Descriptor): LandfallError {
  return new LandfallError('IMAGE_SOURCE', `${name} does not contain ${digest}`, {
    hint: 'Save the image again for all required platforms; the archive is incomplete.',
  });
}
