/** One thing that moves bytes, shown as a row with rate and time left while it runs. */
export interface Transfer {
  /** Bytes that moved since the last call. */
  advance(bytes: number): void;
  /** Bytes that were there already: they are done, but say nothing of the speed. */
  skip(bytes: number): void;
  /** Waits for other work. The clock of this transfer stands still meanwhile. */
  waitFor<T>(other: Promise<T>): Promise<T>;
  /** Ends the row, whether it went well or not. */
  end(): void;
}

/** Where a run tells what it does. The code that works knows nothing of terminals. */
export interface Reporter {
  /** A step of the recipe, said once as it begins. */
  step(title: string): void;
  /** A fact worth a line: a warning, a retry, what is left out. */
  note(text: string): void;
  /** A transfer that begins; `total` in bytes. */
  transfer(label: string, total: number): Transfer;
  /** Puts the screen in order; call once, whatever happened. */
  close(): void;
}

const silentTransfer: Transfer = {
  advance() {},
  skip() {},
  waitFor: (other) => other,
  end() {},
};

/** For programs and tests: says nothing. */
export const silentReporter: Reporter = {
  step() {},
  note() {},
  transfer: () => silentTransfer,
  close() {},
};
