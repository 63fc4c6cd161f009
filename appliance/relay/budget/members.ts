import { endOfString } from '#contract/text/json.ts';

/** A member of a JSON object, and where its value is in the text. */
export interface Member {
  readonly name: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const quote = 0x22;
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);
const [colon, comma] = [0x3a, 0x2c];

/**
 * Lists the members of the outermost object of a valid JSON text, repeated ones included, which
 * `JSON.parse` hides. Servers differ in which of two members they use.
 */
export function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let lastString = '';
  let pending: { name: string; start: number } | undefined;
  const finish = (end: number) => {
    if (pending) members.push({ ...pending, end });
    pending = undefined;
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (depth === 1 && !pending) lastString = text.slice(at, end);
      at = end - 1;
    } else if (opening.has(code)) depth += 1;
    else if (closing.has(code)) {
      depth -= 1;
      if (depth === 0) finish(at);
    } else if (depth !== 1) continue;
    else if (code === comma) finish(at);
    else if (code === colon) pending = { name: `${JSON.parse(lastString)}`, start: at + 1 };
  }
  return members;
}

/** Replaces the value of a member, or adds the member as the first one. */
export function withMember(
  text: string,
  members: readonly Member[],
  name: string,
  value: unknown,
): string {
  const json = JSON.stringify(value);
  const known = members.find((member) => member.name === name);
  if (known) return `${text.slice(0, known.start)}${json}${text.slice(known.end)}`;
  const begin = text.indexOf('{') + 1;
  const separator = members.length > 0 ? ',' : '';
  return `${text.slice(0, begin)}"${name}":${json}${separator}${text.slice(begin)}`;
}
