import type { Problem } from '#contract/errors.ts';
import type { Context } from '../stage/stage.ts';

/** One thing that is set on the system, on its own: a small stage. */
export interface Measure {
  /**
   * Whose kernel it acts on. What does is left out in a container, where it would act on the machine
   * around it; this says what is left out, in a few words.
   */
  readonly needsKernel?: string;
  /** What would be done, one sentence each; nothing when all is as it should be. */
  check(context: Context): Promise<readonly string[]>;
  /** Does it, as often as it is called. */
  apply(context: Context): Promise<void>;
  /** What is not in effect, told by the running system, not by the file. */
  prove(context: Context): Promise<readonly Problem[]>;
}
