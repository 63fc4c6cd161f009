/** What a run of tests comes to. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** One line for every suite that was skipped, with its reason. */
  readonly notes: readonly string[];
}

/** Adds up outcomes. */
export function total(outcomes: readonly Outcome[]): Outcome {
  const sum = (count: (outcome: Outcome) => number) =>
    outcomes.reduce((amount, outcome) => amount + count(outcome), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    notes: outcomes.flatMap(({ notes }) => notes),
  };
}

/** The last line of `npm test`, which programs read. */
export function closingLine({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
