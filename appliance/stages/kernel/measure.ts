import type { Problem } from '#contract/errors.ts';
import type { Text } from '#contract/text/language.ts';
import type { Measure } from '../../server/stage/measure.ts';
import type { Context } from '../../server/stage/stage.ts';

/** One independent system setting. */
export interface KernelMeasure extends Omit<Measure, 'prove'> {
  /**
   * Set if the measure changes the kernel; a short name for warnings. Such a measure is skipped in a
   * container, whose kernel belongs to the host.
   */
  readonly needsKernel?: Text;
  /** Returns what is not in effect in the running system, whatever the files contain. */
  prove(context: Context): Promise<readonly Problem[]>;
}
