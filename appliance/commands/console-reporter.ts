import type { Reporter } from '../stage/reporter.ts';

/** Prints what a stage says and warns of as lines; for commands that take seconds. */
export const consoleReporter: Reporter = {
  say: (line) => console.log(line),
  warn: ({ text }) => console.log(text),
  progress: () => {},
};
