import { Meter } from '#terminal/meter.ts';

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
