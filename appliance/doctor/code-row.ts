import type { SpecCondition } from './spec-conditions.ts';

/** A text in the remedy that stands for the subject of a finding. */
export interface Placeholder {
  readonly text: string;
  /** Returns what replaces the text. Default: the subject. */
  readonly value?: (subject: string) => string;
}

export interface CodeRow {
  /** What to do, in whole sentences. */
  readonly remedy: string;
  readonly condition?: SpecCondition;
  /** The text in the remedy that stands for the subject of the finding. Default: none. */
  readonly placeholder?: Placeholder;
  /** Codes that explain this one: with one of them, it is only a consequence. */
  readonly follows?: readonly string[];
}
