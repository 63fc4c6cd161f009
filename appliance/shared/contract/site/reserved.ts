/** Top-level keys that later versions of Landfall will use; the schema rejects them as unknown. */
const reservedKeys: ReadonlySet<unknown> = new Set(['clients']);

/**
 * Returns whether a rejected value of a site is reserved for a later version, rather than a typo.
 * @param path position of the value in the site
 */
export function isReserved(path: readonly PropertyKey[]): boolean {
  return path.length === 1 && reservedKeys.has(path[0]);
}
