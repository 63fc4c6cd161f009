import type { DebianMirror } from '../setup/debian-mirror.ts';
import type { BlobFolder } from './blob-folder.ts';
import type { LayerRecipe } from './catalogue.ts';
import { type Layer, makeLayer } from './layer.ts';

/** Unpacking takes a core, compressing another. */
const atOnce = 2;

/** Makes layers, each one once however many images ask for it, and only so many at a time. */
export class LayerShelf {
  readonly #mirror: DebianMirror;
  readonly #blobs: BlobFolder;
  readonly #made = new Map<string, Promise<Layer>>();
  readonly #waiting: Array<() => void> = [];
  #working = 0;

  constructor(mirror: DebianMirror, blobs: BlobFolder) {
    this.#mirror = mirror;
    this.#blobs = blobs;
  }

  /** The layers of a stack of recipes, the lowest first. */
  async layers(
    stack: readonly LayerRecipe[],
    architecture: 'amd64' | 'arm64',
  ): Promise<readonly Layer[]> {
    const stacks = stack.map((_, top) => stack.slice(0, top + 1));
    return await Promise.all(stacks.map((each) => this.#layer(each, architecture)));
  }

  #layer(stack: readonly LayerRecipe[], architecture: 'amd64' | 'arm64'): Promise<Layer> {
    const key = JSON.stringify([architecture, stack]);
    const known = this.#made.get(key);
    if (known) return known;
    const making = this.#make(stack, architecture);
    this.#made.set(key, making);
    return making;
  }

  async #make(stack: readonly LayerRecipe[], architecture: 'amd64' | 'arm64'): Promise<Layer> {
    const lower = stack.slice(0, -1);
    const below = lower.length > 0 ? await this.#layer(lower, architecture) : undefined;
    if (this.#working >= atOnce) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#working += 1;
    }
    try {
      return await makeLayer(stack, below, architecture, this.#mirror, this.#blobs);
    } finally {
      // The place is handed on, or given back when nobody waits.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#working -= 1;
    }
  }
}
