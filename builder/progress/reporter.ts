/** A transfer, shown as a row with rate and remaining time while it runs. */
export interface Transfer {
  /** Adds bytes that were transferred since the last call. */
  advance(bytes: number): void;
  /** Adds bytes that were already present. They count as done, but not for the rate. */
  skip(bytes: number): void;
  /** Waits for other work. Pauses the clock of this transfer meanwhile. */
  waitFor<T>(other: Promise<T>): Promise<T>;
  /** Removes the row, after success or failure. */
  end(): void;
}

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

const silentTransfer: Transfer = {
  advance() {},
  skip() {},
  waitFor: (other) => other,
  end() {},
};

/** For programs and tests: prints nothing. */
export const silentReporter: Reporter = {
  step() {},
  note() {},
  transfer: () => silentTransfer,
  close() {},
};
