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
  { limits, answers, uncounted }: Cost,
): Refusal | undefined {
  const paths = [...limits, ...answers, ...uncounted].map((path) => path.split('.'));
  const read = new Set(['model', 'stream', 'stream_options', ...paths.map(([name = '']) => name)]);
  if (isAmbiguous(members, read)) return { refused: 'relay_request_invalid' };
  for (const { name, start, end } of members) {
    const inside = paths.flatMap(([outer, inner]) =>
      outer === name && inner !== undefined ? [inner] : [],
    );
    if (inside.length > 0 && isAmbiguous(membersOf(text.slice(start, end)), new Set(inside)))
      return { refused: 'relay_request_invalid' };
  }
  const hidden = uncounted.find((path) => (valueAt(value, path) ?? false) !== false);
  if (hidden === undefined) return undefined;
  const message = `permission denied: keys with a budget of tokens may not set the field ${hidden}`;
  return { refused: 'relay_field_forbidden', message };
}

/** Returns whether a field that is read is repeated, or has a spelling that servers may accept. */
function isAmbiguous(members: readonly Member[], read: ReadonlySet<string>): boolean {
  const folded = new Set([...read].map(foldName));
  const found = members.map(({ name }) => name).filter((name) => folded.has(foldName(name)));
  return found.some((name) => !read.has(name)) || new Set(found.map(foldName)).size < found.length;
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
