import { type Amount, formatAmount, fraction, soundAmount } from '#contract/text/amount.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { bar } from '#terminal/bar.ts';
import { LiveRows } from '#terminal/live-rows.ts';
import { roomOn, type Screen } from '#terminal/screen.ts';
import type { Reporter } from '../../stage/reporter.ts';

/** Minimum interval between updates of the bar in milliseconds, with and without a terminal. */
const pauses = { terminal: 100, plain: 15_000 } as const;
/** Leaves space for the amounts on a terminal of 80 columns. */
const barWidth = 30;

/**
 * Shows the progress of a long command: lines, and below them a bar that is redrawn in place. Without
 * a terminal, prints the amount as a line from time to time.
 * @param clock milliseconds
 */
export function screenReporter(
  screen: Screen,
  clock: () => number = Date.now,
): { readonly reporter: Reporter; readonly end: () => void } {
  const pause = screen.isTTY ? pauses.terminal : pauses.plain;
  let shown = { at: Number.NEGATIVE_INFINITY, text: '' };
  const rows = new LiveRows(screen);
  const say = (line: string) => rows.print(plainLine(line, 500));
  const progress = (amount: Amount) => {
    const sound = soundAmount(amount);
    const now = clock();
    if (!sound || (now - shown.at < pause && sound.done < sound.total)) return;
    const text = screen.isTTY
      ? `${bar(fraction(sound), barWidth)}  ${formatAmount(sound)}`
      : formatAmount(sound);
    if (text === shown.text) return;
    shown = { at: now, text };
    if (screen.isTTY) rows.draw([text.slice(0, roomOn(screen).columns)]);
    else rows.print(text);
  };
  return {
    reporter: { say, progress, warn: ({ text }) => say(`warning: ${text}`) },
    end: () => rows.clear(),
  };
}
