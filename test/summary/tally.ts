/** What a run of tests comes to. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** One line for every suite that was skipped, with its reason. */
  readonly notes: readonly string[];
  /** The tests that took longest. */
  readonly slowest: readonly Timed[];
}

/** A test and how long it took. */
export interface Timed {
  readonly name: string;
  /** Seconds. */
  readonly seconds: number;
}

const shown = 10;

/** Adds up outcomes. */
export function total(outcomes: readonly Outcome[]): Outcome {
  const sum = (count: (outcome: Outcome) => number) =>
    outcomes.reduce((amount, outcome) => amount + count(outcome), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    notes: outcomes.flatMap(({ notes }) => notes),
    slowest: slowestOf(outcomes.flatMap(({ slowest }) => slowest)),
  };
}

/** The ten that took longest, the longest first. */
export function slowestOf(tests: readonly Timed[]): Timed[] {
  return tests.toSorted((a, b) => b.seconds - a.seconds).slice(0, shown);
}

/** The last line of `npm test`, which programs read. */
export function closingLine({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
