import { type Amount, formatAmount, soundAmount } from '#contract/text/amount.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { LiveProgress } from '#terminal/live-progress.ts';
import type { Meter } from '#terminal/meter.ts';
import { canRedraw, type Screen } from '#terminal/screen.ts';
import { type Reporter, warningLine } from '../../stage/reporter.ts';
import { amountPauseMs } from '../console.ts';

/**
 * Shows the progress of a long command: lines, and below them a row that is redrawn in place. Without
 * a terminal, prints the amount as a line from time to time.
 */
export function screenReporter(
  screen: Screen,
  env: NodeJS.ProcessEnv,
): { readonly reporter: Reporter; readonly end: () => void } {
  const live = new LiveProgress(screen);
  const show = canRedraw(screen, env) ? inRow(live) : inLines(live);
  const say = (line: string) => live.print(plainLine(line, 500));
  const progress = (amount: Amount) => {
    const sound = soundAmount(amount);
    if (sound) show(sound);
  };
  return {
    reporter: {
      say,
      waitFor: (_what, line) => say(line),
      progress,
      warn: ({ text }) => say(warningLine(text)),
    },
    end: () => live.close(),
  };
}

function inRow(live: LiveProgress): (amount: Amount) => void {
  let meter: Meter | undefined;
  return (amount) => {
    // A new attempt may start with less than the last one.
    if (!meter || amount.unit !== meter.unit || amount.done < meter.done) {
      meter?.end();
      meter = live.start(amount);
    }
    meter.advance(amount.done - meter.done);
    meter.total = amount.total;
  };
}

function inLines(live: LiveProgress): (amount: Amount) => void {
  let last = { at: Number.NEGATIVE_INFINITY, text: '' };
  return (amount) => {
    const now = { at: Date.now(), text: formatAmount(amount) };
    const isDue = now.at - last.at >= amountPauseMs || amount.done === amount.total;
    if (!isDue || now.text === last.text) return;
    last = now;
    live.print(now.text);
  };
}
