import type { Problem } from '../errors.ts';
import { say } from './language.ts';
import { type Paint, unpainted } from './paint.ts';
import { translated } from './translated.ts';
import { wrap } from './wrap.ts';

/** Formats a problem as one line: `appliance.yaml:3:7  message (hint)`. */
export function formatProblem(
  { file, line, column, message, hint }: Problem,
  paint: Paint = unpainted,
): string {
  const position = [file, line, column].filter((part) => part !== undefined).join(':');
  const [what, advice] = [translated(message), hint && translated(hint)];
  const text = advice ? say(`${what} (${advice})`, `${what}（${advice}）`) : what;
  return position ? `${paint('dim', position)}  ${text}` : text;
}

/** Formats problems as indented lines below their error, with corrected lines to copy. */
export function formatProblems(
  problems: readonly Problem[],
  paint?: Paint,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  return problems.flatMap((problem) => [
    ...wrap(`  ${formatProblem(problem, paint)}`, columns),
    // Without indentation of ours, so that a copy of the line is right.
    ...(problem.corrected === undefined ? [] : [problem.corrected]),
  ]);
}
