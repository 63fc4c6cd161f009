import type { SpecCondition } from '../spec-conditions.ts';

/** A fault that only a person sees, with the questions that lead to its remedy. */
export interface Symptom {
  /** Short stable name for the command line: `editor-code`. */
  readonly name: string;
  /** What the person sees. */
  readonly title: string;
  readonly condition?: SpecCondition;
  readonly first: Question;
}

/** A question with its answers. */
export interface Question {
  readonly question: string;
  readonly answers: readonly Answer[];
}

/** An answer leads to another question or to the remedy. */
type Answer = { readonly answer: string } & (
  | { readonly next: Question }
  | { readonly remedy: string }
);
