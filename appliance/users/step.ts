import type { Context } from '../stage/stage.ts';

/** A step of the stage. */
export interface Step {
  /**
   * Describes what {@link apply} would do, in one sentence; undefined if nothing. Works before
   * earlier steps have run.
   */
  todo(context: Context): Promise<string | undefined>;
  /** Applies the step; idempotent. */
  apply(context: Context): Promise<void>;
}
