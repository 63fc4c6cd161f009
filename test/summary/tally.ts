/** Result of a run of tests. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** One line for every failure. */
  readonly failures: readonly string[];
  readonly skips: readonly Skip[];
  /** What was left out of the run, one line each. */
  readonly notes: readonly string[];
  /** The slowest tests. */
  readonly slowest: readonly Timed[];
  /** Duration of each file with its hooks, in seconds, by path from the root of the project. */
  readonly files: Readonly<Record<string, number>>;
}

/** Skipped tests of one suite, with the reason. */
export interface Skip {
  /** The file and the title of the suite. */
  readonly suite: string;
  /** Undefined for tests that give none, which counts as a failure. */
  readonly reason?: string;
  /** Number of tests. */
  readonly tests: number;
}

/** A test and its duration. */
export interface Timed {
  readonly name: string;
  /** Seconds. */
  readonly seconds: number;
}

const shown = 10;

export const noOutcome: Outcome = {
  ...{ passed: 0, failed: 0, skipped: 0 },
  ...{ failures: [], skips: [], notes: [], slowest: [], files: {} },
};

/** Adds up outcomes. */
export function total(outcomes: readonly Outcome[]): Outcome {
  const sum = (count: (outcome: Outcome) => number) =>
    outcomes.reduce((amount, outcome) => amount + count(outcome), 0);
  const files: Record<string, number> = {};
  for (const outcome of outcomes) {
    for (const [file, seconds] of Object.entries(outcome.files)) {
      files[file] = (files[file] ?? 0) + seconds;
    }
  }
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    failures: outcomes.flatMap(({ failures }) => failures),
    skips: outcomes.flatMap(({ skips }) => skips),
    notes: outcomes.flatMap(({ notes }) => notes),
    slowest: slowestOf(outcomes.flatMap(({ slowest }) => slowest)),
    files,
  };
}

/** Returns the ten slowest tests, the slowest first. */
export function slowestOf(tests: readonly Timed[]): Timed[] {
  return tests.toSorted((a, b) => b.seconds - a.seconds).slice(0, shown);
}

/** Returns the line of skipped tests for the summary. */
export function formatSkip({ suite, reason, tests }: Skip): string {
  const count = tests === 1 ? '1 test' : `${tests} tests`;
  return `skipped: ${suite}: ${reason ?? 'without a reason, which counts as failed'} (${count})`;
}

/** Returns the last line of `npm test`, which programs parse. */
export function closingLine({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
