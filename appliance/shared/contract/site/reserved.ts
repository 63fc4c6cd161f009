/** Top-level keys that later versions of Landfall will use; the schema rejects them as unknown. */
const reservedKeys: ReadonlySet<unknown> = new Set(['role', 'restore', 'engines', 'clients']);

/**
 * Returns whether a rejected value of a site is reserved for a later version, rather than a typo.
 * @param path position of the value in the site
 */
export function isReserved(path: readonly PropertyKey[]): boolean {
  if (path.length !== 1) return false;
  return reservedKeys.has(path[0]);
}

/** Top-level keys that had another name before the first release. */
const renamedKeys: Readonly<Record<string, string>> = { engine: 'docker' };

/** Returns today's name of a rejected key; undefined if the key was never valid. */
export function renamedTo(path: readonly PropertyKey[]): string | undefined {
  return path.length === 1 ? renamedKeys[String(path[0])] : undefined;
}
