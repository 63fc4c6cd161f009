import type { Amount } from '#contract/text/amount.ts';
import type { Warning } from './warning.ts';

/** Receives the progress of a stage. Must not receive secrets: consoles and a web page show it. */
export interface Reporter {
  /** Sets the line that describes the current action. */
  say(line: string): void;
  /** Shows a progress bar until the next line. */
  progress(amount: Amount): void;
  /** Records a warning for the final report. */
  warn(warning: Warning): void;
}
