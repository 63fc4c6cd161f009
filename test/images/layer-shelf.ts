import { link, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached } from '../setup/cached.ts';
import type { AptArchive } from '../setup/debian/apt-archive.ts';
import { BlobFolder } from './blob-folder.ts';
import { type Layer, makeLayer } from './layer.ts';
import type { LayerRecipe } from './stand-in.ts';

/** Increase it when a code change produces other bytes from the same recipe. */
const version = 1;
/** Unpacking uses one core, compressing another. */
const atOnce = 2;

export type Architecture = 'amd64' | 'arm64';

/** Cache of layers. Each layer is built once, for all images and test runs. */
export class LayerShelf {
  readonly #cache: string;
  readonly #archive: (architecture: Architecture) => Promise<AptArchive>;
  readonly #folders = new Map<string, Promise<string>>();
  readonly #waiting: Array<() => void> = [];
  #working = 0;

  /** @param cache a folder that keeps layers between runs */
  constructor(cache: string, archive: (architecture: Architecture) => Promise<AptArchive>) {
    this.#cache = cache;
    this.#archive = archive;
  }

  /** Returns the layers of a stack of recipes, the lowest first, and copies them into a folder. */
  async layers(
    stack: readonly LayerRecipe[],
    architecture: Architecture,
    blobs: BlobFolder,
  ): Promise<readonly Layer[]> {
    const stacks = stack.map((_, top) => stack.slice(0, top + 1));
    const layers = await Promise.all(stacks.map((each) => this.#layer(each, architecture)));
    for (const [index, { descriptor }] of layers.entries()) {
      const from = new BlobFolder(await this.#folder(stacks[index] ?? [], architecture));
      await link(from.path(descriptor.digest), blobs.path(descriptor.digest)).catch(ignoreExisting);
    }
    return layers;
  }

  async #layer(stack: readonly LayerRecipe[], architecture: Architecture): Promise<Layer> {
    const folder = await this.#folder(stack, architecture);
    return JSON.parse(await readFile(join(folder, 'layer.json'), 'utf8'));
  }

  /** Returns the folder that caches the top layer of a stack. */
  #folder(stack: readonly LayerRecipe[], architecture: Architecture): Promise<string> {
    const inputs = { version, architecture, stack };
    const key = JSON.stringify(inputs);
    const known = this.#folders.get(key);
    if (known) return known;
    const making = cached(this.#cache, nameOf(stack, architecture), inputs, (folder) =>
      this.#make(folder, stack, architecture),
    );
    this.#folders.set(key, making);
    return making;
  }

  async #make(
    folder: string,
    stack: readonly LayerRecipe[],
    architecture: Architecture,
  ): Promise<void> {
    const [recipe, ...lower] = stack.toReversed();
    if (!recipe) throw new Error('a stack without a recipe has no top layer');
    const below =
      lower.length > 0 ? await this.#layer(lower.toReversed(), architecture) : undefined;
    const names = recipe.packages.length > 0 ? stack.flatMap(({ packages }) => packages) : [];
    const packages =
      names.length > 0 ? await (await this.#archive(architecture)).download(names) : [];
    await mkdir(folder);
    const blobs = new BlobFolder(folder);
    await blobs.create();
    const layer = await this.#inTurn(() =>
      makeLayer(recipe, packages, below?.packages ?? [], blobs),
    );
    await writeFile(join(folder, 'layer.json'), JSON.stringify(layer));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#working >= atOnce) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#working += 1;
    }
    try {
      return await work();
    } finally {
      // The slot is passed to the next waiter, or released.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#working -= 1;
    }
  }
}

/** Unique for every stack, so that a new version replaces only the old one. */
function nameOf(stack: readonly LayerRecipe[], architecture: Architecture): string {
  const parts = stack.map(({ packages, adds = [] }) => packages.at(-1) ?? adds[0]?.path ?? 'empty');
  return `layer-${[...parts, architecture].join('-').replaceAll(/[^a-z0-9]+/gi, '-')}`;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
