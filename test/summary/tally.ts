/** Result of a run of tests. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** One line for every failure, and for every skipped suite with its reason. */
  readonly notes: readonly string[];
  /** The slowest tests. */
  readonly slowest: readonly Timed[];
}

/** A test and its duration. */
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

/** Returns the ten slowest tests, the slowest first. */
export function slowestOf(tests: readonly Timed[]): Timed[] {
  return tests.toSorted((a, b) => b.seconds - a.seconds).slice(0, shown);
}

/** Returns the last line of `npm test`, which programs parse. */
export function closingLine({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
