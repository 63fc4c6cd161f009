import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { hexOf } from '#contract/trust/digest.ts';
import type { Platform } from '../../base/platform.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { RegistryClient } from '../registry/client.ts';
import { maxDocumentBytes, tooLarge } from '../registry/document.ts';
import { DocumentCache } from '../registry/document-cache.ts';
import { familiar, type ImageReference } from '../registry/reference.ts';
import type { Registries } from '../registry/registries.ts';
import { readError, readFileChunks } from './archive-file.ts';
import { dockerArchive, ociArchive } from './archive-origins.ts';
import { ArchiveSource, type LocalParts } from './archive-source.ts';
import { dockerDaemonImage } from './docker-source.ts';
import { parseImageName } from './image-name.ts';
import { importBlob } from './import-blob.ts';
import { findInLayout } from './layout-index.ts';
import { resolveImage } from './resolve-image.ts';
import type { ImageSource, ResolvedImage } from './source.ts';

interface SourceParts extends LocalParts {
  readonly registries: Registries;
  /** Base of the relative paths of layouts and archives. */
  readonly baseFolder: string;
}

/**
 * Returns the source of an image name. Does not access the network or the disk yet.
 * @throws LandfallError CONFIG_INVALID
 */
export function openSource(image: string, parts: SourceParts): ImageSource {
  const name = parseImageName(image);
  const inBase = (path: string) => resolve(parts.baseFolder, path);
  switch (name.transport) {
    case 'registry':
      return registrySource(parts.registries.client(name.reference.registry), name.reference);
    case 'docker-daemon':
      return new ArchiveSource(dockerDaemonImage(name.name), parts);
    case 'layout':
      return new LayoutSource(inBase(name.path), name.tag, parts);
    case 'oci-archive':
      return new ArchiveSource(ociArchive(inBase(name.path), name.tag), parts);
    case 'docker-archive':
      return new ArchiveSource(dockerArchive(inBase(name.path), name.reference), parts);
  }
}

/** An image in a registry. Documents are kept in the store; layers are fetched on demand. */
function registrySource(client: RegistryClient, image: ImageReference): ImageSource {
  const reader = {
    name: familiar(image),
    manifest: (descriptor: Descriptor) => client.fetchDocument('manifests', image, descriptor),
    config: (descriptor: Descriptor) => client.fetchDocument('blobs', image, descriptor),
  };
  return {
    resolve: async (platforms) => resolveImage(await client.document(image), platforms, reader),
    fetch: (blob, signal) => client.fetch('blobs', image, blob, signal),
  };
}

/**
 * An OCI image layout in a folder. Blobs are copied into the store, not linked, because a user
 * with write access to the folder could change a linked blob.
 */
class LayoutSource implements ImageSource {
  readonly #folder: string;
  readonly #tag: string | undefined;
  readonly #parts: LocalParts;
  readonly #documents: DocumentCache;
  /** Copies one blob at a time: parallel copies only cause seeks. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, tag: string | undefined, parts: LocalParts) {
    this.#folder = folder;
    this.#tag = tag;
    this.#parts = parts;
    this.#documents = new DocumentCache(parts.store);
  }

  async resolve(platforms: readonly Platform[]): Promise<ResolvedImage> {
    const files = {
      layout: await this.#small('oci-layout'),
      index: await this.#small('index.json'),
    };
    const root = findInLayout(files, this.#tag, this.#folder);
    const read = (descriptor: Descriptor) =>
      this.#documents.fetched(descriptor, this.#folder, () => this.fetch(descriptor));
    const reader = { name: this.#folder, manifest: read, config: read };
    return resolveImage(await read(root), platforms, reader);
  }

  fetch(blob: Descriptor, signal?: AbortSignal): Promise<void> {
    const copying = this.#last.then(() => this.#copy(blob, signal));
    this.#last = copying.catch(() => {});
    return copying;
  }

  async #copy({ digest, size }: Descriptor, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const name = `blobs/sha256/${hexOf(digest)}`;
    const path = join(this.#folder, name);
    const label = `${name} of ${this.#folder}`;
    const transfer = this.#parts.reporter.transfer(label, size);
    try {
      await importBlob(counted(path, transfer, signal), { label, size, digest }, this.#parts);
    } finally {
      transfer.end();
    }
  }

  /** Reads one of the two root files of a layout; undefined when it does not exist. */
  async #small(name: string): Promise<Buffer | undefined> {
    const path = join(this.#folder, name);
    try {
      const found = await stat(path);
      if (!found.isFile()) return undefined;
      if (found.size > maxDocumentBytes) throw tooLarge(`${name} of ${this.#folder}`);
      return await readFile(path);
    } catch (error) {
      const explained = readError(error, path);
      if (explained instanceof LandfallError && explained.code === 'FILE_MISSING') return undefined;
      throw explained;
    }
  }
}

async function* counted(
  path: string,
  transfer: { advance(bytes: number): void },
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  await refuseOdd(path);
  for await (const chunk of readFileChunks(path)) {
    signal?.throwIfAborted();
    transfer.advance(chunk.length);
    yield chunk;
  }
}

/** Rejects pipes and devices, because opening one could block forever. */
async function refuseOdd(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw readError(error, path);
  });
  if (found.isFile()) return;
  throw new LandfallError('IMAGE_SOURCE', `${path} is not a file`, {
    hint: 'Create the layout again; it is damaged.',
  });
}
