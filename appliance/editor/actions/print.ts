import { paintFor } from '#terminal/paint-for.ts';
import type { EditorContext } from '../context.ts';

/** Prints a result as JSON, or its warnings to stderr and its text to stdout. */
export function printResult(
  { stdout, stderr, env }: EditorContext,
  json: boolean | undefined,
  result: { readonly warnings: ReadonlyArray<{ readonly text: string }> },
  text: string,
): void {
  if (json) {
    stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return;
  }
  const paint = paintFor(stderr, env);
  for (const { text: warning } of result.warnings) {
    stderr.write(`${paint('yellow', 'warning:')} ${warning}\n`);
  }
  stdout.write(`${text}\n`);
}
