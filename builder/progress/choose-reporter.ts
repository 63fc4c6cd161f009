import { liveReporter } from './live-reporter.ts';
import { plainReporter } from './plain-reporter.ts';
import { type Reporter, silentReporter } from './reporter.ts';
import { styleFor } from './style.ts';

/** What a person asked for on the command line. */
export interface ReportOptions {
  readonly quiet?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Rows on a terminal, lines elsewhere, silence for `--quiet` and `--json`. Always on stderr. */
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
