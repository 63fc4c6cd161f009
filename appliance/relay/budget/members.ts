import { endOfString } from '#contract/text/json.ts';
import type { Kept } from '../formats/cost.ts';

/** A member of a JSON object, and where its value is in the text. */
export interface Member {
  readonly name: string;
  /** Where its name begins. */
  readonly from: number;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const quote = 0x22;
const [leftBrace, leftBracket, rightBrace, rightBracket] = [0x7b, 0x5b, 0x7d, 0x5d];
const [colon, comma] = [0x3a, 0x2c];

/**
 * Lists the members of the outermost object of a valid JSON text, repeated ones included, which
 * `JSON.parse` hides. Servers differ in which of two members they use.
 */
export function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let nameAt = 0;
  let nameEnd = 0;
  let pending: Omit<Member, 'end'> | undefined;
  const finish = (end: number) => {
    if (pending) members.push({ ...pending, end });
    pending = undefined;
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (depth === 1 && !pending) [nameAt, nameEnd] = [at, end];
      at = end - 1;
    } else if (code === leftBrace || code === leftBracket) depth += 1;
    else if (code === rightBrace || code === rightBracket) {
      depth -= 1;
      if (depth === 0) finish(at);
    } else if (depth !== 1) continue;
    else if (code === comma) finish(at);
    else if (code === colon && !pending) {
      const name = `${JSON.parse(text.slice(nameAt, nameEnd))}`;
      pending = { name, from: nameAt, start: at + 1 };
    }
  }
  return members;
}

/**
 * Sets the value at a path such as `options.num_predict`, and leaves the rest of the text as it is.
 * @param text a JSON object
 */
export function withMember(text: string, path: string, value: unknown): string {
  const [name = '', ...inner] = path.split('.');
  const members = membersOf(text);
  const known = members.find((member) => member.name === name);
  const old = known ? text.slice(known.start, known.end) : '';
  const outer = isObject(old) ? old : '{}';
  const json = inner.length > 0 ? withMember(outer, inner.join('.'), value) : JSON.stringify(value);
  if (known) return `${text.slice(0, known.start)}${json}${text.slice(known.end)}`;
  const begin = text.indexOf('{') + 1;
  const separator = members.length > 0 ? ',' : '';
  return `${text.slice(0, begin)}"${name}":${json}${separator}${text.slice(begin)}`;
}

/** Removes the other members of an object; returns other JSON as it is. */
export function withoutOthers(text: string, { names, inside = {} }: Kept): string {
  if (!isObject(text)) return text;
  const kept = membersOf(text).filter(({ name }) => names.has(name));
  const parts = kept.map(({ name, from, start, end }) => {
    const own = Object.hasOwn(inside, name) ? inside[name] : undefined;
    const value = text.slice(start, end);
    return `${text.slice(from, start)}${own ? withoutOthers(value, { names: own }) : value}`;
  });
  return `{${parts.join(',')}}`;
}

function isObject(json: string): boolean {
  return json.trimStart().startsWith('{');
}
