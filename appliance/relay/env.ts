import type { Budgets } from './budget/account.ts';
import type { ClientKey, KeyUsage } from './key-usage.ts';
import type { ModelLists } from './models/model-lists.ts';
import type { BodyPool } from './models/peek.ts';
import type { Provider, Send } from './provider.ts';

/** Everything that the handler depends on, the same on a server and on an edge platform. */
export interface RelayEnv {
  /** In the order of the settings, then `local`. */
  readonly providers: ReadonlyMap<string, Provider>;
  /** The model hub of `/hub/models/…`; undefined without one. */
  readonly hub: Provider | undefined;
  /** The provider of `/v1` for a model that no list has, or several; undefined without providers. */
  readonly defaultProvider: string | undefined;
  readonly keys: readonly ClientKey[];
  readonly usage: KeyUsage;
  /** Origins of pages that may use the relay, or `*`. */
  readonly origins: readonly string[];
  readonly models: ModelLists;
  readonly pool: BodyPool;
  readonly budgets: Budgets;
  /** Milliseconds. */
  readonly timeouts: { readonly firstByte: number; readonly idle: number };
  readonly send: Send;
  /** Receives one entry per request, when the request has ended. */
  readonly log: (access: Access) => void;
}

/**
 * How a request ended. `aborted`: the client disconnected. `stalled`: the client stopped reading.
 * `broken`: the provider disconnected. `timeout`: the provider stopped sending.
 */
export type Ending = 'complete' | 'aborted' | 'stalled' | 'broken' | 'timeout';

/** One line of the access log. The only client input in it is the method and a known path. */
export interface Access {
  /** RFC 3339: when the request arrived. */
  readonly time: string;
  readonly method: string;
  readonly key?: string;
  readonly provider?: string;
  readonly endpoint?: string;
  readonly status: number;
  /** The code of the refusal that the relay returned. */
  readonly refused?: string;
  /** `x-request-id` of that refusal. Other responses have the provider's, if any. */
  readonly requestId?: string;
  /** The code of the error in the request to the provider. */
  readonly cause?: string;
  readonly ending: Ending;
  /** Milliseconds until the response headers, and until the end of the request. */
  readonly headMs: number;
  readonly totalMs: number;
  /** Bytes of the response body that were sent to the client. */
  readonly bytes: number;
}

/** A log entry of a request in progress. */
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

  /** Adds fields to the entry. */
  note(facts: Partial<Access>): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  /** Records the response status and its time. Later calls are ignored. */
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
