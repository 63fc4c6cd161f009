import { LandfallError } from '#contract/errors.ts';

/** A lock entry that could not be resolved. */
export interface LockFailure {
  /** Component, file or model. */
  readonly name: string;
  readonly error: LandfallError;
  /** How to use another source, as the rest of a hint: "add a mirror with …". */
  readonly otherSource: string;
}

/** An entry to resolve. */
export interface PendingEntry<T> {
  readonly name: string;
  readonly otherSource: string;
  readonly resolve: () => Promise<T>;
  /** The lock entry if the source fails. */
  readonly known: T;
}

/**
 * Resolves an entry. On failure, returns its known values and records the error, so that the other
 * entries are still resolved.
 */
export async function settle<T>(
  { name, otherSource, resolve, known }: PendingEntry<T>,
  failures: LockFailure[],
): Promise<T> {
  try {
    return await resolve();
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    failures.push({ name, error, otherSource });
    return known;
  }
}
