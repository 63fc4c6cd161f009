import type { Problem } from '#contract/errors.ts';
import { formatProblems } from '#contract/text/problem.ts';

/** Problems to print for each list. */
const shown = 100;

/** Prints the lines that an import left out, below a title; nothing for an empty list. */
export function writeList(
  stderr: NodeJS.WritableStream,
  title: string,
  list: readonly Problem[],
): void {
  if (list.length === 0) return;
  const rest = list.length > shown ? [`  … and ${list.length - shown} more`] : [];
  stderr.write(`${[title, ...formatProblems(list.slice(0, shown)), ...rest].join('\n')}\n`);
}

/** Prints the entries that `--skip-unsupported` left out. */
export function writeSkipped(stderr: NodeJS.WritableStream, skipped: readonly Problem[]): void {
  writeList(stderr, 'Left out, because it has problems:', skipped);
}
