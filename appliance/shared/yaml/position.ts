import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type YAMLMap } from 'yaml';

/**
 * Returns the offset of the key or value at a path, or of the last key on the path that exists; 0 if
 * none exists.
 */
export function offsetOf(
  document: Document,
  path: ReadonlyArray<PropertyKey>,
  want: 'key' | 'value',
): number {
  let found: Entry = { key: document.contents, value: document.contents };
  for (const step of path) {
    const next = entryAt(found.value, step, document);
    if (!next) return startOf(found.key);
    found = next;
  }
  return startOf(want === 'key' || !isWritten(found.value) ? found.key : found.value);
}

/** The entries of maps by key, because a map can have thousands of keys with problems. */
const indexes = new WeakMap<YAMLMap, ReadonlyMap<string, Entry>>();

function indexOf(node: YAMLMap): ReadonlyMap<string, Entry> {
  const known = indexes.get(node);
  if (known) return known;
  const index = new Map<string, Entry>();
  for (const item of node.items) {
    const name = isScalar(item.key) ? String(item.key.value) : undefined;
    if (name !== undefined && !index.has(name)) index.set(name, item);
  }
  indexes.set(node, index);
  return index;
}

interface Entry {
  readonly key: unknown;
  readonly value: unknown;
}

/** Returns the child of a node, with aliases resolved. An item of a list is its own key. */
function entryAt(parent: unknown, step: PropertyKey, document: Document): Entry | undefined {
  const node = isAlias(parent) ? parent.resolve(document) : parent;
  if (isMap(node)) return indexOf(node).get(String(step));
  if (isSeq(node) && typeof step === 'number' && step < node.items.length) {
    return { key: node.items[step], value: node.items[step] };
  }
  return undefined;
}

/** Returns false for the empty node of a key without a value. */
function isWritten(node: unknown): boolean {
  return isNode(node) && Boolean(node.range && node.range[1] > node.range[0]);
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
