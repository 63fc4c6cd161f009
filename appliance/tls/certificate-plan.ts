import type { LandfallError } from '#contract/errors.ts';
import type { Pair } from '../certificates/pair.ts';

/** The certificate for the site's mode. */
export interface Wanted {
  /** The pair to install; undefined while there is only the self-signed one. */
  readonly pair: Pair | undefined;
  /** Problems that remain. */
  readonly open: readonly LandfallError[];
  /** Earliest time of the next request. */
  readonly retryAt?: Date | undefined;
  /** False when no request was made, because it is too early. */
  readonly asked?: false;
}
