import type { Problem } from '../errors.ts';

/** Applies a terminal style to a text. */
export type Paint = (format: 'bold' | 'dim' | 'red' | 'yellow', text: string) => string;

/** Returns a text unstyled. */
export const unpainted: Paint = (_format, text) => text;

/** Formats a problem as one line: `appliance.yaml:3:7  message (hint)`. */
export function formatProblem(
  { file, line, column, message, hint }: Problem,
  paint: Paint = unpainted,
): string {
  const position = [file, line, column].filter((part) => part !== undefined).join(':');
  const text = hint ? `${message} (${hint})` : message;
  return position ? `${paint('dim', position)}  ${text}` : text;
}

/** Formats problems as indented lines below their error. */
export function formatProblems(problems: readonly Problem[], paint?: Paint): string[] {
  return problems.map((problem) => `  ${formatProblem(problem, paint)}`);
}
