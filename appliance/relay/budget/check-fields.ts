import type { Cost } from '../formats/cost.ts';
import type { Refusal } from '../refusal.ts';
import { type Member, membersOf } from './members.ts';

/** Characters of a name in a message. */
const maxName = 64;

/**
 * Checks that the provider reads the same fields as the relay, and that the key may set them.
 * @param text valid JSON
 */
export function checkFields(
  text: string,
  members: readonly Member[],
  { limits, answers, fields }: Cost,
): Refusal | undefined {
  const paths = [...limits, ...answers].map((path) => path.split('.'));
  const read = new Set(['model', 'stream', 'stream_options', ...paths.map(([name = '']) => name)]);
  if (isAmbiguous(members, read)) return { refused: 'relay_request_invalid' };
  if (fields) {
    const refusal = firstForbidden(members, fields.body);
    if (refusal) return refusal;
  }
  for (const { name, start, end } of members) {
    const isOptions = fields !== undefined && name === 'options';
    const readInside = paths.filter(([outer, inner]) => outer === name && inner !== undefined);
    if (!isOptions && readInside.length === 0) continue;
    const inner = membersOf(text.slice(start, end));
    if (isAmbiguous(inner, new Set(readInside.map(([, field = '']) => field))))
      return { refused: 'relay_request_invalid' };
    const refusal = isOptions ? firstForbidden(inner, fields.options) : undefined;
    if (refusal) return refusal;
  }
  return undefined;
}

/** Returns whether a field that is read is repeated, or has a spelling that servers may accept. */
function isAmbiguous(members: readonly Member[], read: ReadonlySet<string>): boolean {
  const folded = new Set([...read].map(foldName));
  const found = members.map(({ name }) => name).filter((name) => folded.has(foldName(name)));
  return found.some((name) => !read.has(name)) || new Set(found.map(foldName)).size < found.length;
}

/** Go matches the names of fields without case, also that of a long s; Gemini without underscores. */
function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll('_', '');
}

function firstForbidden(
  members: readonly Member[],
  allowed: ReadonlySet<string>,
): Refusal | undefined {
  const found = members.find(({ name }) => !allowed.has(name));
  if (!found) return undefined;
  const message = `permission denied: keys may not set the field ${JSON.stringify(found.name.slice(0, maxName))}`;
  return { refused: 'relay_field_forbidden', message };
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
