import type { Cost } from '../formats/cost.ts';
import type { Refusal } from '../refusal.ts';
import { type Member, membersOf } from './members.ts';

/**
 * Checks that the provider reads the same fields as the relay, and that none hides a part of the cost.
 * @param text valid JSON
 */
export function checkFields(
  text: string,
  value: object,
  members: readonly Member[],
  cost: Cost,
): Refusal | undefined {
  const { outer, inner } = fieldsReadFor(cost);
  if (isAmbiguous(members, outer)) return { refused: 'relay_request_invalid' };
  for (const { name, start, end } of members) {
    const inside = inner.get(name);
    if (inside && isAmbiguous(membersOf(text.slice(start, end)), inside))
      return { refused: 'relay_request_invalid' };
  }
  const hidden = cost.uncounted.find((path) => (valueAt(value, path) ?? false) !== false);
  if (hidden === undefined) return undefined;
  const message = `permission denied: keys with a budget of tokens may not set the field ${hidden}`;
  return { refused: 'relay_field_forbidden', message };
}

/** Folded forms of the names of fields. */
interface Names {
  readonly exact: ReadonlyMap<string, string>;
  readonly folded: ReadonlySet<string>;
}

interface FieldsRead {
  readonly outer: Names;
  /** Those inside of an outer field. */
  readonly inner: ReadonlyMap<string, Names>;
}

const known = new WeakMap<Cost, FieldsRead>();

/** Returns the fields that are read, computed once for each endpoint. */
function fieldsReadFor(cost: Cost): FieldsRead {
  const found = known.get(cost);
  if (found) return found;
  const { limits, answers, uncounted } = cost;
  const paths = [...limits, ...answers, ...uncounted].map((path) => path.split('.'));
  const outer = paths.map(([name = '']) => name);
  const inside = (name: string) =>
    paths.flatMap(([of, inner]) => (of === name && inner !== undefined ? [inner] : []));
  const read = {
    outer: namesOf(['model', 'stream', 'stream_options', ...outer]),
    inner: new Map(
      outer.filter((name) => inside(name).length > 0).map((name) => [name, namesOf(inside(name))]),
    ),
  };
  known.set(cost, read);
  return read;
}

function namesOf(names: readonly string[]): Names {
  const exact = new Map(names.map((name) => [name, foldName(name)]));
  return { exact, folded: new Set(exact.values()) };
}

/** Returns whether a field that is read is repeated, or has a spelling that servers may accept. */
function isAmbiguous(members: readonly Member[], { exact, folded }: Names): boolean {
  const found = new Set<string>();
  for (const { name } of members) {
    const plain = exact.get(name) ?? foldName(name);
    if (!folded.has(plain)) continue;
    if (!exact.has(name) || found.has(plain)) return true;
    found.add(plain);
  }
  return false;
}

/** Go matches the names of fields without case, also that of a long s; Gemini without underscores. */
function foldName(name: string): string {
  const plain = /^[!-~]*$/.test(name) ? name : name.normalize('NFKC');
  return plain.toLowerCase().replaceAll('_', '');
}

/** Returns the value at a path such as `options.num_predict`; undefined if there is none. */
export function valueAt(body: object, path: string): unknown {
  let value: unknown = body;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
