import type { z } from 'zod';
import type { Problem } from '../errors.ts';
import { unprintable } from './unprintable.ts';

/** Maximum number of problems in an error. */
const maxProblems = 20;
/** Maximum length of a problem in characters. */
const maxLength = 400;

/**
 * Formats schema issues as `layers.0.digest: must be …`. Paths and messages may quote the input, so
 * control characters are replaced.
 * @param nameOf returns the name of a non-empty path
 */
export function schemaProblems(
  issues: readonly z.core.$ZodIssue[],
  nameOf: (path: readonly PropertyKey[]) => string = (path) => path.join('.'),
): Problem[] {
  return issues.slice(0, maxProblems).map(({ path, message }) => {
    const text = `${path.length === 0 ? '(top level)' : nameOf(path)}: ${message}`;
    return { message: text.slice(0, maxLength).replace(unprintable, '?') };
  });
}
