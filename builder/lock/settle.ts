import { LandfallError } from '#contract/errors.ts';

/** An entry of the lock that could not be resolved. */
export interface LockFailure {
  /** Component, file or model. */
  readonly name: string;
  readonly error: LandfallError;
  /** How to reach another source of this entry, as the rest of a sentence: "name a mirror with …". */
  readonly otherSource: string;
}

/** An entry to resolve. */
export interface PendingEntry<T> {
  readonly name: string;
  readonly otherSource: string;
  readonly resolve: () => Promise<T>;
  /** What stays in the lock when its source fails. */
  readonly known: T;
}

/**
 * Resolves an entry, or keeps what is known of it and records the failure, so that one source that
 * fails costs no other entry.
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
