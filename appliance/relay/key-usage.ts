import type { ClientKey } from './env.ts';
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

/**
 * Counts what every key uses: a bucket of requests that fills up again within a minute, and the
 * requests at a time. It knows what went through this process, not through others.
 */
export class KeyUsage {
  readonly #usages = new Map<string, Usage>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes a place for a request. Call what it gives once, when the request is over. */
  take({ name, limits }: ClientKey): (() => void) | Refusal {
    const usage = this.#usageOf(name, limits.requests_per_minute);
    if (usage.open >= limits.concurrency)
      return { refused: 'relay_concurrency_exceeded', headers: { 'retry-after': '1' } };
    if (usage.tokens < 1) {
      const wait = Math.ceil(((1 - usage.tokens) * 60) / limits.requests_per_minute);
      return { refused: 'relay_rate_limited', headers: { 'retry-after': `${wait}` } };
    }
    usage.tokens -= 1;
    usage.open += 1;
    let held = true;
    return () => {
      if (held) usage.open -= 1;
      held = false;
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
