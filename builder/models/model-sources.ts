import type { BlobStore } from '../blobs/store.ts';
import type { Statistics } from '../progress/statistics.ts';
import type { Registries } from '../registry/registries.ts';
import type { OutsideFiles } from '../sources/outside-file.ts';
import { describeGguf } from './gguf/describe-gguf.ts';
import { GgufFiles, type KnownFile } from './gguf-files.ts';
import { ggufModel } from './gguf-model.ts';
import type { LocatedModel } from './located-model.ts';
import { RegistryModels } from './registry-models.ts';

interface ModelSourcesOptions {
  readonly registries: Registries;
  readonly store: BlobStore;
  readonly outside: OutsideFiles;
  readonly statistics: Statistics;
}

/** A locked GGUF file and the model to build from it. */
interface WantedGguf extends KnownFile {
  readonly name: string;
  /** A URL or a path. */
  readonly source: string;
  readonly template?: string | undefined;
}

/** Sources of models: registries with Ollama's protocol, and GGUF files. */
export class ModelSources {
  readonly registry: RegistryModels;
  readonly files: GgufFiles;
  readonly #store: BlobStore;

  constructor({ registries, store, outside, statistics }: ModelSourcesOptions) {
    this.registry = new RegistryModels(registries);
    this.files = new GgufFiles({ store, outside, statistics });
    this.#store = store;
  }

  /**
   * Computes the lock data of a GGUF file and checks that it is a model.
   * @param sha256 64 hex digits, if known
   * @param folder base of relative paths
   * @throws LandfallError as `make` does
   */
  async measure(source: string, sha256: string | undefined, folder: string): Promise<KnownFile> {
    const file = await this.files.measure(source, sha256, folder);
    await describeGguf(this.#store.path(`sha256:${file.sha256}`), file.size);
    return file;
  }

  /**
   * Builds a model from a locked GGUF file. Downloads the file first, because the manifest depends
   * on its header.
   * @param folder base of relative paths
   * @throws LandfallError MODEL_FORMAT, BLOB_DIGEST, BLOB_SIZE, FILE_MISSING and network errors
   */
  async make(wanted: WantedGguf, folder: string): Promise<LocatedModel> {
    const { name, source, sha256, size, template } = wanted;
    await this.files.obtain(source, { sha256, size }, folder);
    const digest = `sha256:${sha256}` as const;
    const gguf = await describeGguf(this.#store.path(digest), size);
    return ggufModel({ name, gguf, weights: { digest, size }, template });
  }
}
