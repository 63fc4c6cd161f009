import { LandfallError, type Problem } from '#contract/errors.ts';

/** An error as a person at a console reads it: what happened, each problem, what to do. */
export function describeError(error: unknown): string {
  if (!(error instanceof LandfallError)) {
    return String(error instanceof Error ? error.stack : error);
  }
  const problems = error.problems.map((problem) => `  ${describeProblem(problem)}`);
  const hint = error.hint ? [`hint: ${error.hint}`] : [];
  return [`landfall: ${error.code}: ${error.message}`, ...problems, ...hint].join('\n');
}

/** One finding in a line, with what to do about it. */
export function describeProblem({ message, hint }: Problem): string {
  return hint ? `${message} (${hint})` : message;
}
