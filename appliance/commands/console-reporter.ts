import type { Reporter } from '../stage/reporter.ts';

/** Prints the lines and warnings of a stage, without progress, for short commands. */
export const consoleReporter: Reporter = {
  say: (line) => console.log(line),
  waitFor: (_what, line) => console.log(line),
  warn: ({ text }) => console.log(text),
  progress: () => {},
};
