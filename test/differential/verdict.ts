import type { Rule } from '#contract/bundle/refusals.ts';

/** The verdict of a program on a bundle. */
export type Verdict =
  | {
      readonly accepted: true;
      /** Path, SHA-256 and mode of each unpacked file, sorted. */
      readonly files: readonly string[];
    }
  | { readonly accepted: false; readonly why: string; readonly rule?: Rule | undefined };
