import type { Problem } from '#contract/errors.ts';

/** Number of details to keep, and of different reasons to count. */
const kept = 1000;

/** The reason that stands for all reasons after the first ones. */
const other = 'other reasons';

/** Counts by reason, with the details of the first ones. */
export class Tally {
  readonly details: Problem[] = [];
  readonly #reasons = new Map<string, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts a reason. @param detail called only if the detail is kept */
  add(reason: string, detail: () => Problem, count = 1): void {
    this.#count += count;
    const isNew = !this.#reasons.has(reason);
    const key = isNew && this.#reasons.size >= kept ? other : reason;
    this.#reasons.set(key, (this.#reasons.get(key) ?? 0) + count);
    if (this.details.length < kept) this.details.push(detail());
  }

  /** Returns the reasons with their counts, the most frequent first. */
  reasons(): (readonly [reason: string, count: number])[] {
    return [...this.#reasons].sort(([, a], [, b]) => b - a);
  }
}
