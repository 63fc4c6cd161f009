import { styleFor } from './style.ts';

/** Prints warnings of a successful command to stderr. */
export function printWarnings(
  { stderr, env }: { readonly stderr: NodeJS.WritableStream; readonly env: NodeJS.ProcessEnv },
  warnings: readonly string[],
): void {
  const style = styleFor(stderr, env);
  for (const warning of warnings) stderr.write(`${style('yellow', 'warning:')} ${warning}\n`);
}
