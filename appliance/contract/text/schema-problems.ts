import type { z } from 'zod';
import type { Problem } from '../errors.ts';
import { unprintable } from './unprintable.ts';

/** The most problems that an error lists. */
const maxProblems = 20;
/** The most characters of one problem. */
const maxLength = 400;

/**
 * Describes what a schema rejected, as `layers.0.digest: must be …`. Paths and messages may quote
 * the input, so what could steer a terminal is taken out.
 * @param nameOf names the value at a path that is not empty
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
