import type { Amount } from '#contract/text/amount.ts';
import type { Warning } from './warning.ts';

/** What only the administrator can give a server. */
export type WaitsFor = 'proxies';

/** Receives the progress of a stage. Must not receive secrets: consoles and a web page show it. */
export interface Reporter {
  /** Sets the line that describes the current action. */
  say(line: string): void;
  /** Says that the setup goes on only when the administrator acts; the line says how. */
  waitFor(what: WaitsFor, line: string): void;
  /** Shows a progress bar until the next line. */
  progress(amount: Amount): void;
  /** Records a warning for the final report. */
  warn(warning: Warning): void;
}

/** Reports nothing. */
export const silentReporter: Reporter = {
  say: () => {},
  waitFor: () => {},
  progress: () => {},
  warn: () => {},
};
