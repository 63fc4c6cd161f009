import type { BlobStore } from '../blobs/store.ts';
import type { Statistics } from '../progress/statistics.ts';
import type { Registries } from '../registry/registries.ts';
import type { OutsideFiles } from '../sources/outside-file.ts';
import { describeGguf } from './gguf/describe-gguf.ts';
import { GgufFiles, type KnownFile } from './gguf-files.ts';
import { ggufModel } from './gguf-model.ts';
import type { LocatedModel } from './located-model.ts';
import { RegistryModels } from './registry-models.ts';

interface ModelSourcesParts {
  readonly registries: Registries;
  readonly store: BlobStore;
  readonly outside: OutsideFiles;
  readonly statistics: Statistics;
}

/** A locked GGUF file and what becomes of it. */
interface WantedGguf extends KnownFile {
  readonly name: string;
  /** A URL or a path. */
  readonly place: string;
  readonly template?: string | undefined;
}

/** Where models come from: registries that speak as Ollama's does, and GGUF files. */
export class ModelSources {
  readonly registry: RegistryModels;
  readonly files: GgufFiles;
  readonly #store: BlobStore;

  constructor({ registries, store, outside, statistics }: ModelSourcesParts) {
    this.registry = new RegistryModels(registries);
    this.files = new GgufFiles({ store, outside, statistics });
    this.#store = store;
  }

  /**
   * Finds out what a lock says of a GGUF file, and whether it is a model at all.
   * @param sha256 64 hex digits, where a person knows them
   * @param folder where relative paths start
   * @throws LandfallError as `make` does
   */
  async measure(place: string, sha256: string | undefined, folder: string): Promise<KnownFile> {
    const file = await this.files.measure(place, sha256, folder);
    await describeGguf(this.#store.path(`sha256:${file.sha256}`), file.size);
    return file;
  }

  /**
   * Makes a model of a locked GGUF file, which is fetched first: what stands in its header goes
   * into the manifest.
   * @param folder where relative paths start
   * @throws LandfallError MODEL_FORMAT, BLOB_DIGEST, BLOB_SIZE, FILE_MISSING and those of the network
   */
  async make(wanted: WantedGguf, folder: string): Promise<LocatedModel> {
    const { name, place, sha256, size, template } = wanted;
    await this.files.obtain(place, { sha256, size }, folder);
    const digest = `sha256:${sha256}` as const;
    const gguf = await describeGguf(this.#store.path(digest), size);
    return ggufModel({ name, gguf, weights: { digest, size }, template });
  }
}
