import type { Warning } from './warning.ts';

/** How far something long is. */
export interface Amount {
  readonly done: number;
  readonly total: number;
  readonly unit: 'bytes' | 'images' | 'services' | 'tests';
}

/** Where a stage says what it does. Nothing secret goes here: it ends on consoles and a web page. */
export interface Reporter {
  /** The current line: what is being done right now. */
  say(line: string): void;
  /** A bar for what is long; it goes away with the next line that is said. */
  progress(amount: Amount): void;
  /** Something that a person should know, kept for the final report. */
  warn(warning: Warning): void;
}
