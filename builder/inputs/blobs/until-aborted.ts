/**
 * Waits for a promise or for the signal, whichever is first. A value that arrives after the abort
 * is passed to `abandon`, which releases its resources.
 * @throws the abort reason of the signal
 */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  abandon: (late: T) => unknown = () => {},
): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } catch (error) {
    if (signal.aborted) promise.then(abandon).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
