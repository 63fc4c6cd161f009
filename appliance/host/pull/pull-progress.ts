/** More layers than any model or image has; what an engine tells beyond them is not counted. */
const mostLayers = 4096;

/** What an engine tells of one layer. */
interface LayerProgress {
  /** What tells it from others. */
  readonly digest?: string | undefined;
  /** Bytes. */
  readonly total?: number | undefined;
  readonly completed?: number | undefined;
}

/** Adds up what the lines of a pull tell of each layer. */
export class PullProgress {
  /** Bytes in all, where the release knows them. */
  readonly #size: number;
  readonly #layers = new Map<string, { total: number; completed: number }>();
  #most = 0;

  constructor(size: number | null) {
    this.#size = size ?? 0;
  }

  /** Takes a line. @returns whether bytes have moved since the line before */
  hear({ digest, total, completed = 0 }: LayerProgress): boolean {
    if (digest === undefined || total === undefined) return false;
    if (!this.#layers.has(digest) && this.#layers.size >= mostLayers) return false;
    const before = this.done;
    this.#layers.set(digest, { total, completed: Math.min(completed, total) });
    this.#most = Math.max(this.#most, this.done);
    return this.done !== before;
  }

  /** A layer is there, whatever was told of it last: engines do not tell of every byte. */
  complete(digest: string): void {
    const total = this.#layers.get(digest)?.total;
    this.hear({ digest, total, completed: total });
  }

  /** Bytes that are there. */
  get done(): number {
    return sum([...this.#layers.values()].map(({ completed }) => completed));
  }

  /** The most bytes that were there at any time: beyond them, a further try has gained something. */
  get most(): number {
    return this.#most;
  }

  /** Bytes in all, as far as known. Layers are told of one after another. */
  get total(): number {
    return Math.max(this.#size, sum([...this.#layers.values()].map(({ total }) => total)));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
