import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Style } from './style.ts';

/** An error as people read it: what happened, every problem with its place, what to do. */
export function formatError(error: unknown, style: Style): string {
  if (!(error instanceof LandfallError)) return formatBug(error, style);
  const lines = [
    `${style('red', 'error')} ${style('bold', error.code)}: ${error.message}`,
    ...error.problems.map((problem) => formatProblem(problem, style)),
  ];
  if (error.hint) lines.push(`${style('yellow', 'hint')}: ${error.hint}`);
  return lines.join('\n');
}

function formatProblem({ file, line, column, message, hint }: Problem, style: Style): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const text = `  ${place ? `${style('dim', place)}  ` : ''}${message}`;
  return hint ? `${text}\n      ${hint}` : text;
}

/** Nobody foresaw this one: the stack is what a maintainer needs. */
function formatBug(error: unknown, style: Style): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${style('red', 'error')} this is a bug in Landfall\n${text}\n${style('yellow', 'hint')}: Please report it with the lines above.`;
}
