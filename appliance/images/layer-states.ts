import type { PullLine } from './pull-line.ts';

/** More layers than any image has; what an engine tells beyond them is no news. */
const mostLayers = 4096;
/** What the engine says of a layer that is not all here yet (moby, `distribution/xfer`). */
const unfetched = /^(?:Pulling fs layer|Waiting|Downloading|Retrying)/;

/** What it says of one that is. */
const fetched = /^(?:Already exists|Download complete|Pull complete)/;

/** What was said last of each layer: an engine repeats itself while nothing moves. */
export class LayerStates {
  readonly #last = new Map<string, string>();
  readonly #unfetched = new Set<string>();
  #isAnyKnown = false;

  /** Takes a line. @returns whether it tells something new */
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

  /** Whether bytes are still to come: before the first layer, those of manifest and configuration. */
  get isFetching(): boolean {
    return !this.#isAnyKnown || this.#unfetched.size > 0;
  }
}
