/** More layers than any model or image has. Further layers are not counted. */
const maxLayers = 4096;

interface LayerProgress {
  /** Identifies the layer. */
  readonly digest?: string | undefined;
  /** Bytes. */
  readonly total?: number | undefined;
  readonly completed?: number | undefined;
}

/** Sums up the progress of the layers of a pull. */
export class PullProgress {
  /** Total bytes as specified by the release, or 0. */
  readonly #size: number;
  readonly #layers = new Map<string, { total: number; completed: number }>();
  #most = 0;

  constructor(size: number | null) {
    this.#size = size ?? 0;
  }

  /** Processes a line. @returns whether the number of received bytes has changed */
  hear({ digest, total, completed = 0 }: LayerProgress): boolean {
    if (digest === undefined || total === undefined) return false;
    if (!this.#layers.has(digest) && this.#layers.size >= maxLayers) return false;
    const before = this.done;
    this.#layers.set(digest, { total, completed: Math.min(completed, total) });
    this.#most = Math.max(this.#most, this.done);
    return this.done !== before;
  }

  /** Marks a layer as complete, because the last progress line may be short of the total; see {@link hear}. */
  complete(digest: string): boolean {
    const total = this.#layers.get(digest)?.total;
    return this.hear({ digest, total, completed: total });
  }

  /** Received bytes. */
  get done(): number {
    return sum([...this.#layers.values()].map(({ completed }) => completed));
  }

  /** Largest number of received bytes so far. An attempt that exceeds it has made progress. */
  get most(): number {
    return this.#most;
  }

  /** Total bytes as far as known. Layers are announced one after another. */
  get total(): number {
    return Math.max(this.#size, sum([...this.#layers.values()].map(({ total }) => total)));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
