import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { secretLooks } from './secret-signs.ts';

/** Characters of a value, and of a list that is shown completely. */
const maxValue = 80;
const maxList = 60;

/** Returns a value of a site for messages, on one line. A value that may be a secret is not shown. */
export function shownValue(value: unknown): string {
  if (value === undefined) return inLanguage({ en: 'the default', zh: '默认值' });
  const text = JSON.stringify(value);
  if (secretLooks(text)) return inLanguage({ en: 'another value', zh: '其他值' });
  return plainLine(text, maxValue);
}

/**
 * Returns what a changed list loses and gains, as `- owner` and `+ me@laptop`; undefined for a value that
 * is short, or that is no list.
 */
export function shownEntries(before: unknown, after: unknown): [string, string] | undefined {
  const [old, next] = [before ?? [], after ?? []];
  if (!Array.isArray(old) || !Array.isArray(next)) return undefined;
  const texts = [old, next].map((list) => JSON.stringify(list));
  if (texts.every((text) => text.length <= maxList)) return undefined;
  const without = (list: unknown[], others: unknown[]) => {
    const known = new Set(others.map((each) => JSON.stringify(each)));
    return list.filter((each) => !known.has(JSON.stringify(each))).map(shownEntry);
  };
  const [lost, gained] = [without(old, next), without(next, old)];
  return [lost.map((name) => `- ${name}`).join(', '), gained.map((name) => `+ ${name}`).join(', ')];
}

/** Returns the name of an entry: the comment of an SSH key, the name of an object, or its value. */
function shownEntry(entry: unknown): string {
  const comment = /^(?:ssh|ecdsa|sk)-\S+ \S+ (.+)$/.exec(String(entry))?.[1];
  if (comment !== undefined) return plainLine(comment, maxList);
  const { name } = Object(entry);
  return typeof name === 'string' ? plainLine(name, maxList) : shownValue(entry);
}
