import fc from 'fast-check';
import { parse, visit } from 'jsonc-parser';

/** Arbitrary settings files: comments everywhere, any line ends, trailing commas. */

const eol = fc.constantFrom('\n', '\r\n');
const word = fc.stringMatching(/^[a-z\u00e9\u4e2d\u00a0 ,:{}"/-]{0,12}$/);
const blockComment = word.map((text) => `/*${text.replaceAll('*/', '')}*/`);

const trivia = fc
  .array(fc.oneof(fc.constantFrom(' ', '\t', '\n', '\r\n', ''), blockComment, lineComment()), {
    maxLength: 3,
  })
  .map((parts) => parts.join(''));

function lineComment(): fc.Arbitrary<string> {
  return fc.tuple(word, eol).map(([text, end]) => `//${text}${end}`);
}

const key = fc.oneof(
  fc.constantFrom('http.proxy', 'http.noProxy', 'window.titleBarStyle', 'a', 'b', '__proto__', ''),
  fc.string({ maxLength: 5 }),
);
const value = fc.oneof(
  fc.constantFrom('"http://old:1"', '"custom"', 'true', 'null', '-1.5e3', '[]', '{}'),
  trivia.map((inner) => `[1,${inner}{"http.proxy": 2${inner}},]`),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
);

const property = fc
  .tuple(trivia, key, trivia, trivia, value, trivia)
  .map(([a, name, b, c, content, d]) => ({
    name,
    text: `${a}${JSON.stringify(name)}${b}:${c}${content}${d}`,
  }));
const properties = fc
  .uniqueArray(property, { selector: ({ name }) => name, maxLength: 5 })
  .map((all) => all.map(({ text }) => text));

/** A text that editors accept. */
export const settingsText: fc.Arbitrary<string> = fc.oneof(
  trivia,
  fc
    .tuple(trivia, properties, fc.boolean(), trivia, trivia)
    .map(([before, all, trailing, inner, after]) => {
      const comma = trailing && all.length > 0 ? ',' : '';
      return `${before}{${all.join(',')}${comma}${inner}}${after}`;
    }),
);

/** Returns the value of a text as entries: an object would lose the key `__proto__`. */
export function entriesOf(text: string): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const keys: string[] = [];
  visit(text, {
    onObjectProperty: (name, _offset, _length, _line, _column, path) => {
      if (path().length === 0) keys.push(name);
    },
  });
  const values = parse(text, [], { allowTrailingComma: true }) as Record<string, unknown>;
  for (const name of keys) {
    if (name !== '__proto__') found.set(name, values[name]);
  }
  return found;
}

/** Returns the comments of a text, sorted. */
export function commentsOf(text: string): string[] {
  const comments: string[] = [];
  visit(text, {
    onComment: (offset, length) => comments.push(text.slice(offset, offset + length)),
  });
  return comments.sort();
}
