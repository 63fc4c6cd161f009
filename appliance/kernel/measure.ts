import type { Problem } from '#contract/errors.ts';
import type { Context } from '../stage/stage.ts';

/** One independent system setting: a small stage. */
export interface Measure {
  /**
   * Set if the measure changes the kernel; a short name for warnings. Such a measure is skipped in a
   * container, whose kernel belongs to the host.
   */
  readonly needsKernel?: string;
  /** Describes what would be done, one sentence each; empty if nothing. */
  check(context: Context): Promise<readonly string[]>;
  /** Applies the setting; idempotent. */
  apply(context: Context): Promise<void>;
  /** Returns what is not in effect in the running system, whatever the files contain. */
  prove(context: Context): Promise<readonly Problem[]>;
}
