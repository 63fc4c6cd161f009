import { formatDuration } from '#contract/text/duration.ts';
import { formatBytes, formatRate } from '#contract/text/format-bytes.ts';
import { unpainted } from '#contract/text/paint.ts';
import { LiveProgress } from '#terminal/live-progress.ts';
import { Meter } from '#terminal/meter.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { canRedraw } from '#terminal/screen.ts';
import { type Reporter, silentReporter } from './reporter.ts';

/** The output options of the command line. */
export interface ReportOptions {
  readonly quiet?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/**
 * Returns a reporter for stderr: transfers have rows on a terminal and lines elsewhere. Silent for
 * `--quiet` and `--json`.
 */
export function chooseReporter(
  { stderr, env }: { readonly stderr: NodeJS.WritableStream; readonly env: NodeJS.ProcessEnv },
  options: ReportOptions,
): Reporter {
  if (options.quiet || options.json) return silentReporter;
  const isLive = canRedraw(stderr, env);
  const paint = isLive ? paintFor(stderr, env) : unpainted;
  const progress = new LiveProgress(stderr);
  const note = (text: string) => progress.print(`  ${text}`);
  return {
    note,
    step: (title) => progress.print(paint('bold', title)),
    transfer(label, total) {
      const work = { label, done: 0, total, unit: 'bytes' } as const;
      return isLive ? progress.start(work) : new Meter(work, (meter) => mention(meter, note));
    },
    close: () => progress.close(),
  };
}

/** Reports a completed transfer in a log, except a short one. */
function mention({ label, moved, seconds, rate }: Meter, note: (text: string) => void): void {
  if (seconds < 1) return;
  const time = formatDuration(seconds * 1000);
  note(`${label}: ${formatBytes(moved)} in ${time} (${formatRate(rate)})`);
}
