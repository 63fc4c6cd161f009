import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type YAMLMap } from 'yaml';
import { LandfallError } from '#contract/errors.ts';
import { decodeText } from './decode-text.ts';
import { parseYamlDocument } from './document.ts';
import type { DocumentOptions } from './nodes.ts';

/** A position in a file, 1-based. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A YAML file as a plain value, with the positions of its keys and values. */
export interface YamlFile {
  readonly path: string;
  readonly value: unknown;
  /** Returns the position of the value at this path; if it is missing, of its parent. */
  locate(at: ReadonlyArray<PropertyKey>): Position;
  /** Returns the position of the key at this path, for unknown keys. */
  locateKey(at: ReadonlyArray<PropertyKey>): Position;
}

/** These files are written by hand; a larger file is the wrong file. */
export const maxYamlBytes = 256 * 1024;

/**
 * Parses a YAML 1.2 file: one document in UTF-8. Reports all syntax errors; time and memory are
 * bounded.
 * @param path file name for problems
 * @throws LandfallError CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX
 */
export function parseYaml(bytes: Uint8Array, path: string): YamlFile {
  if (bytes.byteLength > maxYamlBytes) {
    throw new LandfallError('CONFIG_TOO_LARGE', `${path} is larger than ${maxYamlBytes} bytes`, {
      hint: 'Check that this is the right file.',
    });
  }
  return parseYamlText(decodeText(bytes, path), path);
}

/**
 * Parses a text of YAML 1.2, whose size the caller has bounded.
 * @throws LandfallError CONFIG_SYNTAX
 */
export function parseYamlText(text: string, path: string, options?: DocumentOptions): YamlFile {
  const { document, lines } = parseYamlDocument(text, path, options);
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  return {
    path,
    // `checkNodes` already applied a stricter limit on aliases.
    value: document.toJS({ maxAliasCount: -1 }),
    locate: (at) => positionAt(offsetOf(document, at, 'value')),
    locateKey: (at) => positionAt(offsetOf(document, at, 'key')),
  };
}

/**
 * Returns the offset of the key or value at a path, or of the last key on the path that exists; 0 if
 * none exists.
 */
function offsetOf(
  document: Document,
  path: ReadonlyArray<PropertyKey>,
  want: 'key' | 'value',
): number {
  let found: MappingEntry = { key: document.contents, value: document.contents };
  for (const step of path) {
    const next = entryAt(found.value, step, document);
    if (!next) return startOf(found.key);
    found = next;
  }
  return startOf(want === 'key' || !isWritten(found.value) ? found.key : found.value);
}

/** The entries of maps by key, because a map can have thousands of keys with problems. */
const indexes = new WeakMap<YAMLMap, ReadonlyMap<string, MappingEntry>>();

function indexOf(node: YAMLMap): ReadonlyMap<string, MappingEntry> {
  const known = indexes.get(node);
  if (known) return known;
  const index = new Map<string, MappingEntry>();
  for (const item of node.items) {
    const name = isScalar(item.key) ? String(item.key.value) : undefined;
    if (name !== undefined && !index.has(name)) index.set(name, item);
  }
  indexes.set(node, index);
  return index;
}

interface MappingEntry {
  readonly key: unknown;
  readonly value: unknown;
}

/** Returns the child of a node, with aliases resolved. An item of a list is its own key. */
function entryAt(parent: unknown, step: PropertyKey, document: Document): MappingEntry | undefined {
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
