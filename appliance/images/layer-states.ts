import type { PullLine } from './pull-line.ts';

/** A limit that no image reaches; further layers are ignored. */
const mostLayers = 4096;
/** Docker's states of an incomplete layer (moby, `distribution/xfer`). */
const unfetched = /^(?:Pulling fs layer|Waiting|Downloading|Retrying)/;

/** Docker's states of a complete layer. */
const fetched = /^(?:Already exists|Download complete|Pull complete)/;

/** The last state of each layer, to detect progress: Docker repeats lines during a stall. */
export class LayerStates {
  readonly #last = new Map<string, string>();
  readonly #unfetched = new Set<string>();
  #isAnyKnown = false;

  /** Records a line. @returns whether the state changed */
  hear({ id = '', status, progressDetail }: Exclude<PullLine, { error: string }>): boolean {
    if (!this.#last.has(id) && this.#last.size >= mostLayers) return false;
    const state = JSON.stringify([status, progressDetail?.current]);
    if (this.#last.get(id) === state) return false;
    this.#last.set(id, state);
    this.#isAnyKnown ||= unfetched.test(status) || fetched.test(status);
    if (unfetched.test(status)) this.#unfetched.add(id);
    else this.#unfetched.delete(id);
    return true;
  }

  /** Whether bytes are missing, including manifest and configuration before the first layer. */
  get isFetching(): boolean {
    return !this.#isAnyKnown || this.#unfetched.size > 0;
  }
}
