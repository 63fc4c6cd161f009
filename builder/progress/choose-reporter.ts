import { liveReporter } from './live-reporter.ts';
import { plainReporter } from './plain-reporter.ts';
import { type Reporter, silentReporter } from './reporter.ts';
import { styleFor } from './style.ts';

/** The output options of the command line. */
export interface ReportOptions {
  readonly quiet?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/**
 * Returns a reporter for stderr: live on a terminal, lines elsewhere, silent for `--quiet` and
 * `--json`.
 */
export function chooseReporter(
  context: { readonly stderr: NodeJS.WritableStream; readonly env: NodeJS.ProcessEnv },
  options: ReportOptions,
): Reporter {
  if (options.quiet || options.json) return silentReporter;
  const { stderr, env } = context;
  const terminal = 'isTTY' in stderr && stderr.isTTY === true && env.TERM !== 'dumb' && !env.CI;
  return terminal
    ? liveReporter(stderr as NodeJS.WriteStream, styleFor(stderr, env))
    : plainReporter(stderr);
}
