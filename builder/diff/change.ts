import { isDeepStrictEqual } from 'node:util';

/** A difference between two sides. `null` stands for the side that does not have the item. */
export interface Change<T> {
  readonly name: string;
  readonly before: T | null;
  readonly after: T | null;
}

/**
 * Returns the items that were added, removed or changed, sorted by name.
 * @param isSame default: equal in every field
 */
export function changesBetween<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (one: T, other: T) => boolean = isDeepStrictEqual,
): Change<T>[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const [one, other] = [before.get(name), after.get(name)];
    if (one !== undefined && other !== undefined && isSame(one, other)) return [];
    return [{ name, before: one ?? null, after: other ?? null }];
  });
}
