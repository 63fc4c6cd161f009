import type { ClientKey } from './client-key.ts';
import type { Refusal } from './refusal.ts';

interface Usage {
  /** Requests that may still begin. */
  tokens: number;
  /** When they were counted, in milliseconds. */
  countedAt: number;
  /** Requests under way. */
  open: number;
}

const minute = 60_000;

interface KeyUsageOptions {
  /** Requests at a time of all keys together. */
  readonly most?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * Counts what every key uses: a bucket of requests that fills up again within a minute, and the
 * requests at a time, which are also counted for all keys together. It knows what went through this
 * process, not through others.
 */
export class KeyUsage {
  readonly #usages = new Map<string, Usage>();
  readonly #most: number;
  readonly #now: () => number;
  #open = 0;

  constructor({ most = Infinity, now = () => performance.now() }: KeyUsageOptions = {}) {
    this.#most = most;
    this.#now = now;
  }

  /** Takes a place for a request. Call what it gives once, when the request is over. */
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
