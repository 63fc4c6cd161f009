/**
 * How a request came to its end. `aborted`: the client left; `stalled`: it stayed and took nothing;
 * `broken`: the provider left; `timeout`: it stayed and said nothing.
 */
export type Ending = 'complete' | 'aborted' | 'stalled' | 'broken' | 'timeout';

/** One line of the access log. It has nothing that a client wrote save method and known paths. */
export interface Access {
  /** RFC 3339, when the request came. */
  readonly time: string;
  readonly method: string;
  readonly key?: string;
  readonly provider?: string;
  readonly endpoint?: string;
  readonly status: number;
  /** The code of a refusal. */
  readonly refused?: string;
  /** The code of what went wrong on the way to the provider. */
  readonly cause?: string;
  readonly ending: Ending;
  /** Milliseconds until the head of the answer, and until all was over. */
  readonly headMs: number;
  readonly totalMs: number;
  /** Bytes of the answer's body that were passed on. */
  readonly bytes: number;
}

/** An entry while its request is under way. */
export class AccessEntry {
  readonly #log: (access: Access) => void;
  readonly #method: string;
  readonly #time = new Date().toISOString();
  readonly #began = performance.now();
  #facts: Partial<Access> = {};
  #bytes = 0;
  #written = false;

  constructor(method: string, log: (access: Access) => void) {
    this.#method = method;
    this.#log = log;
  }

  /** Adds what is known by now. */
  note(facts: Partial<Access>): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  /** Notes that the head of the answer is there; the first one counts. */
  head(status: number): void {
    if (this.#facts.status === undefined) this.note({ status, headMs: this.#elapsed() });
  }

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Writes the entry, once. */
  end(ending: Ending): void {
    if (this.#written) return;
    this.#written = true;
    this.#log({
      time: this.#time,
      method: this.#method,
      status: 0,
      headMs: this.#elapsed(),
      ...this.#facts,
      ending,
      totalMs: this.#elapsed(),
      bytes: this.#bytes,
    });
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#began);
  }
}
