import { paintFor } from '#terminal/paint-for.ts';

/** Prints warnings of a successful command to stderr. */
export function printWarnings(
  { stderr, env }: { readonly stderr: NodeJS.WritableStream; readonly env: NodeJS.ProcessEnv },
  warnings: readonly string[],
): void {
  const paint = paintFor(stderr, env);
  for (const warning of warnings) stderr.write(`${paint('yellow', 'warning:')} ${warning}\n`);
}
