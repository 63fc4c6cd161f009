import type { z } from 'zod';

/** A possible name of a future field. Other names, such as `__proto__`, are rejected. */
const fieldName = /^[a-z][A-Za-z0-9]{0,63}$/;

/**
 * Returns a copy of a value without the fields that a strict schema does not know, and their names,
 * such as `images.runtime`, without list positions. Undefined if the value has other problems or an
 * unknown field with an invalid name.
 */
export function withoutUnknownFields(
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): { readonly value: unknown; readonly fields: readonly string[] } | undefined {
  const copy = structuredClone(value);
  const fields = new Set<string>();
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') return undefined;
    const owner = issue.path.reduce<unknown>((at, key) => (at as Fields)[key as string], copy);
    for (const key of issue.keys) {
      if (!fieldName.test(key)) return undefined;
      delete (owner as Fields)[key];
      fields.add([...issue.path.filter((each) => typeof each === 'string'), key].join('.'));
    }
  }
  return { value: copy, fields: [...fields].sort() };
}

type Fields = Record<string, unknown>;
