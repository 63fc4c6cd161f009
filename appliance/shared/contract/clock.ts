/**
 * Stored times may be of a clock that was wrong. Decision 78 lists every time that the product stores and
 * compares, and what a clock that jumps does to it.
 */

/** An mtime has fractions of a millisecond, which `Date.now()` truncates. Milliseconds. */
const tolerance = 1000;

/**
 * Reports whether something happened within a time. What happened in the future does not count, because
 * the clock was ahead then.
 * @param maxAge milliseconds
 * @param at milliseconds since 1970
 */
export function happenedWithin(maxAge: number, at: number, now = Date.now()): boolean {
  const age = now - at;
  return age >= -tolerance && age <= maxAge;
}

/**
 * Reports whether to wait until a time. A wait of more than `longest` does not count: the clock was ahead when
 * it was stored, or a server asks for too much.
 * @param until milliseconds since 1970
 * @param longest milliseconds
 */
export function mustWait(until: number, longest: number, now = Date.now()): boolean {
  return until > now && until - now <= longest;
}
