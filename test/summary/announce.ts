import { closingLine, formatSkip, type Outcome, total } from './tally.ts';

const began = performance.now();

/** Prints the heading of a section, with the time since the start. */
export function announce(step: string, what: string): void {
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`\n== ${step}: ${what} (at ${seconds} s)`);
}

/** Prints failures, skipped suites and the closing line; sets the exit code. */
export function printResult(outcomes: readonly Outcome[]): void {
  const outcome = total(outcomes);
  const slowest = outcome.slowest.filter(({ seconds }) => seconds >= 1);
  if (slowest.length > 0) announce('slowest tests', 'without their hooks');
  for (const { name, seconds } of slowest)
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${name}`);
  const { notes, skips, failures } = outcome;
  const lines = [...notes, ...skips.map(formatSkip), ...failures, closingLine(outcome)];
  console.log(`\n${lines.join('\n')}`);
  process.exitCode = outcome.failed > 0 || outcome.passed === 0 ? 1 : 0;
}
