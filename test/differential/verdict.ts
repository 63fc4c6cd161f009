import type { Rule } from '#contract/bundle/refusals.ts';

/** What one of the two says of a bundle. */
export type Verdict =
  | {
      readonly accepted: true;
      /** Path, SHA-256 and mode of each file that it hands over, sorted. */
      readonly files: readonly string[];
    }
  | { readonly accepted: false; readonly why: string; readonly rule?: Rule | undefined };
