import type { Problem } from '../errors.ts';

/** Paints a part of a text for a terminal. */
export type Paint = (format: 'bold' | 'dim' | 'red' | 'yellow', text: string) => string;

/** Leaves a text unpainted. */
export const unpainted: Paint = (_format, text) => text;

/** Formats a finding as one line: `appliance.yaml:3:7  message (hint)`. */
export function formatProblem(
  { file, line, column, message, hint }: Problem,
  paint: Paint = unpainted,
): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const text = hint ? `${message} (${hint})` : message;
  return place ? `${paint('dim', place)}  ${text}` : text;
}

/** Formats findings as lines that are indented under the error that they belong to. */
export function formatProblems(problems: readonly Problem[], paint?: Paint): string[] {
  return problems.map((problem) => `  ${formatProblem(problem, paint)}`);
}
