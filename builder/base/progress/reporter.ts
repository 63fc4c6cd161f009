import { formatBytes, formatDuration, formatRate } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { unpainted } from '#contract/text/paint.ts';
import { translated } from '#contract/text/translated.ts';
import { LiveProgress } from '#terminal/live-progress.ts';
import { Meter } from '#terminal/meter.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { canRedraw } from '#terminal/screen.ts';
import { wrapFor } from '#terminal/wrap-for.ts';

/** A transfer, shown as a row with rate and remaining time while it runs. */
export type Transfer = Pick<Meter, 'advance' | 'skip' | 'waitFor' | 'end'>;

/** Receives the progress of a run. Keeps terminal handling out of the working code. */
export interface Reporter {
  /** Reports the start of a step. */
  step(title: string): void;
  /** Reports a fact on one line: a warning, a retry, an omission. */
  note(text: string): void;
  /** Starts a transfer; `total` in bytes. */
  transfer(label: string, total: number): Transfer;
  /** Restores the screen. Call it once, after success or failure. */
  close(): void;
}

/** For programs and tests: prints nothing. */
export const silentReporter: Reporter = {
  step() {},
  note() {},
  transfer: (label, total) => new Meter({ label, done: 0, total, unit: 'bytes' }, () => {}),
  close() {},
};

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
  const note = (text: string) => progress.print(wrapFor(stderr, `  ${translated(text)}`));
  return {
    note,
    step: (title) => progress.print(paint('bold', translated(title))),
    transfer(label, total) {
      const work = { label: translated(label), done: 0, total, unit: 'bytes' } as const;
      return isLive ? progress.start(work) : new Meter(work, (meter) => mention(meter, note));
    },
    close: () => progress.close(),
  };
}

/** Reports a completed transfer in a log, except a short one. */
function mention({ label, moved, seconds, rate }: Meter, note: (text: string) => void): void {
  if (seconds < 1) return;
  const time = formatDuration(seconds * 1000);
  const [amount, speed] = [formatBytes(moved), formatRate(rate)];
  note(
    inLanguage({
      en: `${label}: ${amount} in ${time} (${speed})`,
      zh: `${label}：${amount}，用时 ${time}（${speed}）`,
    }),
  );
}

/**
 * Ends the program as Ctrl-C does. A prompt reads the key itself, so no signal arrives. The shell
 * sees exit status 130, and a calling script stops as well.
 * @param outcome the resulting state of the files, such as `nothing was written`
 */
export async function cancel(outcome: string): Promise<never> {
  process.stderr.write(`${cancelled(outcome)}\n`);
  process.kill(process.pid, 'SIGINT');
  return await new Promise(() => {});
}

/** Returns the line of a run that Ctrl-C has ended. */
export function cancelled(outcome: string): string {
  const text = translated(outcome);
  return inLanguage({ en: `cancelled: ${text}`, zh: `已取消：${text}` });
}

const warningLabel = { en: 'warning: ', zh: '警告：' };

/** Prints warnings of a successful command to stderr. */
export function printWarnings(
  { stderr, env }: { readonly stderr: NodeJS.WritableStream; readonly env: NodeJS.ProcessEnv },
  warnings: readonly string[],
): void {
  const paint = paintFor(stderr, env);
  const label = paint('yellow', inLanguage(warningLabel));
  for (const warning of warnings) stderr.write(`${wrapFor(stderr, label + translated(warning))}\n`);
}
