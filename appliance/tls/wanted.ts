import type { LandfallError } from '#contract/errors.ts';
import type { Pair } from '../certificates/pair.ts';

/** What a site's mode gives. */
export interface Wanted {
  /** The pair that is to be in place; nothing while there is none but the self-signed one. */
  readonly pair: Pair | undefined;
  /** What is still missing. */
  readonly open: readonly LandfallError[];
  /** Before then nobody may be asked. */
  readonly retryAt?: Date | undefined;
  /** False where nothing was tried, because it is too early. */
  readonly asked?: false;
}
