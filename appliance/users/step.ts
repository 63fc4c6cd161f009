import type { Context } from '../stage/stage.ts';

/** One part of the stage: what is missing, and how it comes to be. */
export interface Step {
  /**
   * What {@link apply} would do now, as one sentence; nothing when all is as it should be. Works
   * before the steps that come earlier have run.
   */
  todo(context: Context): Promise<string | undefined>;
  /** Does it; right to run again. */
  apply(context: Context): Promise<void>;
}
