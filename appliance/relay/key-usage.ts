import type { KeyTerms } from './budget/terms.ts';
import type { KeyLimits } from './config.ts';
import type { Refusal } from './refusal.ts';

/** A client of the relay, identified by its key. */
export interface ClientKey {
  readonly name: string;
  /** SHA-256 of the key, 32 bytes. */
  readonly sha256: Uint8Array;
  /** Providers that the client may use; undefined for all. */
  readonly providers: ReadonlySet<string> | undefined;
  readonly limits: KeyLimits;
  /** Whether it lists only models for chats. */
  readonly chatModels?: boolean | undefined;
  /** Undefined without models, budgets and an end. */
  readonly terms?: KeyTerms | undefined;
}

interface Usage {
  /** Requests that may still start. */
  tokens: number;
  /** When `tokens` was updated, in milliseconds. */
  countedAt: number;
  /** Requests in progress. */
  open: number;
}

const minute = 60_000;

interface KeyUsageOptions {
  /** Maximum concurrent requests of all keys. */
  readonly max?: number;
  /** Monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Enforces the limits of each key: a token bucket that refills within a minute, and the number of
 * concurrent requests. Also limits the concurrent requests of all keys. Counts requests of this
 * process only.
 */
export class KeyUsage {
  readonly #usages = new Map<string, Usage>();
  readonly #most: number;
  readonly #now: () => number;
  #open = 0;

  constructor({ max = Infinity, now = () => performance.now() }: KeyUsageOptions = {}) {
    this.#most = max;
    this.#now = now;
  }

  /** Reserves a slot for a request. Call the returned function when the request ends. */
  take({ name, limits }: ClientKey): (() => void) | Refusal {
    const usage = this.#usageOf(name, limits.requests_per_minute);
    if (this.#open >= this.#most) return { refused: 'relay_busy', headers: { 'retry-after': '1' } };
    if (usage.open >= limits.concurrency)
      return { refused: 'relay_concurrency_exceeded', headers: { 'retry-after': '1' } };
    if (usage.tokens < 1) {
      const wait = Math.ceil(((1 - usage.tokens) * 60) / limits.requests_per_minute);
      return { refused: 'relay_rate_limited', headers: { 'retry-after': `${wait}` } };
    }
    usage.tokens -= 1;
    usage.open += 1;
    this.#open += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      usage.open -= 1;
      this.#open -= 1;
    };
  }

  #usageOf(name: string, perMinute: number): Usage {
    const now = this.#now();
    const known = this.#usages.get(name);
    const usage = known ?? { tokens: perMinute, countedAt: now, open: 0 };
    const gained = ((now - usage.countedAt) * perMinute) / minute;
    usage.tokens = Math.min(perMinute, usage.tokens + gained);
    usage.countedAt = now;
    if (!known) this.#usages.set(name, usage);
    return usage;
  }
}
