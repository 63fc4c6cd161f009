import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ModelName, parseModelName, shortest } from './model-name.ts';

export interface Layer {
  readonly mediaType: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

export interface Manifest {
  readonly config: Layer;
  readonly layers: readonly Layer[];
}

/** A model in the store. */
export interface StoredModel {
  readonly name: ModelName;
  readonly manifest: Manifest;
  /** SHA-256 of the manifest's bytes, without a prefix, as `/api/tags` shows it. */
  readonly digest: string;
  readonly modified: Date;
}

/**
 * The folder in which Ollama keeps models: `manifests/<host>/<namespace>/<model>/<tag>` and
 * `blobs/sha256-<hex>`. Existing blobs are trusted, as in the original.
 */
export class ModelStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async prepare(): Promise<void> {
    await mkdir(join(this.#folder, 'blobs'), { recursive: true });
  }

  /** Lists every model, the newest first. */
  async list(): Promise<StoredModel[]> {
    const root = join(this.#folder, 'manifests');
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .split('/'),
      )
      .filter((parts) => parts.length === 4)
      .map(([host, namespace, model, tag]) =>
        parseModelName(`${host}/${namespace}/${model}:${tag}`),
      );
    const models = await Promise.all(names.map((name) => (name ? this.find(name) : undefined)));
    return models
      .filter((model) => model !== undefined)
      .sort((a, b) => b.modified.getTime() - a.modified.getTime());
  }

  async find(name: ModelName): Promise<StoredModel | undefined> {
    const path = this.#manifestPath(name);
    try {
      const [bytes, { mtime }] = await Promise.all([readFile(path), stat(path)]);
      const manifest: Manifest = JSON.parse(bytes.toString('utf8'));
      const digest = createHash('sha256').update(bytes).digest('hex');
      return { name, manifest, digest, modified: mtime };
    } catch {
      return undefined;
    }
  }

  /** Returns the stored bytes of the manifest. */
  async putManifest(name: ModelName, bytes: Buffer): Promise<void> {
    const path = this.#manifestPath(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await writeFile(`${path}.tmp`, bytes, { mode: 0o644 });
    await rename(`${path}.tmp`, path);
  }

  async copy(from: StoredModel, to: ModelName): Promise<void> {
    await this.putManifest(to, await readFile(this.#manifestPath(from.name)));
  }

  /** Removes a name, and the blobs that no other name uses. */
  async remove(model: StoredModel): Promise<void> {
    await rm(this.#manifestPath(model.name));
    await this.prune();
  }

  /**
   * Removes unreferenced blobs, as the original does at its start with those older than an hour.
   * @param olderThan milliseconds; all ages without it
   */
  async prune(olderThan?: number): Promise<void> {
    const used = new Set((await this.list()).flatMap(({ manifest }) => layersOf(manifest)));
    const folder = join(this.#folder, 'blobs');
    for (const file of await readdir(folder)) {
      const path = join(folder, file);
      if (used.has(file.replace('-', ':'))) continue;
      // Without an age the time does not matter: an mtime may be later than `Date.now()`.
      const { mtimeMs } = await stat(path);
      if (olderThan !== undefined && Date.now() - mtimeMs < olderThan) continue;
      await rm(path, { force: true });
    }
  }

  blobPath(digest: string): string {
    return join(this.#folder, 'blobs', digest.replace(':', '-'));
  }

  #manifestPath({ host, namespace, model, tag }: ModelName): string {
    return join(this.#folder, 'manifests', host, namespace, model, tag);
  }
}

function layersOf({ config, layers }: Manifest): string[] {
  return [config, ...layers].map(({ digest }) => digest);
}

/** Returns the size of a model in bytes: its layers and its configuration. */
export function sizeOf({ config, layers }: Manifest): number {
  return [config, ...layers].reduce((sum, { size }) => sum + size, 0);
}

/** Returns the name as the API shows it. */
export function displayName({ name }: StoredModel): string {
  return shortest(name);
}
