import { styleFor } from './style.ts';

/** Prints what a person should know though the command succeeds, on stderr. */
export function printWarnings(
  { stderr, env }: { readonly stderr: NodeJS.WritableStream; readonly env: NodeJS.ProcessEnv },
  warnings: readonly string[],
): void {
  const style = styleFor(stderr, env);
  for (const warning of warnings) stderr.write(`${style('yellow', 'warning:')} ${warning}\n`);
}
