/** An mtime has fractions of a millisecond, which `Date.now()` truncates. Milliseconds. */
const tolerance = 1000;

/**
 * Reports whether a file changed within a time. A change in the future does not count, because the
 * clock was ahead then.
 * @param maxAge milliseconds
 * @param mtimeMs time of the change, in milliseconds since 1970
 */
export function changedWithin(maxAge: number, mtimeMs: number, now = Date.now()): boolean {
  const age = now - mtimeMs;
  return age >= -tolerance && age <= maxAge;
}
