import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '#editor/jsonc/parse-settings.ts';
import { setKey } from '#editor/jsonc/set-key.ts';
import { commentsOf, entriesOf, settingsText } from './texts.ts';

const set = (text: string, key: string, json: string) =>
  setKey(parseSettings(text, 'settings.json'), key, json);

describe('setting a key', () => {
  it.each([
    ['an empty file', '', '{\n    "k": 1\n}\n'],
    ['a comment without a line break', '// mine', '// mine\n{\n    "k": 1\n}\n'],
    ['an empty object', '{}', '{\n    "k": 1\n}'],
    ['a comment in an empty object', '{ // mine\n}', '{ // mine\n    "k": 1\n}'],
    ['tabs', '{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"k": 1\n}\n'],
    ['Windows line ends', '{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "k": 1\r\n}'],
    ['a comment after the last value', '{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "k": 1\n}'],
    ['a trailing comma', '{\n  "a": 1,\n}', '{\n  "a": 1,\n  "k": 1,\n}'],
    ['one line', '{"a":1}', '{"a":1,\n    "k": 1\n}'],
    ['an indented object', '  {\n    "a": 1}', '  {\n    "a": 1,\n    "k": 1\n  }'],
    ['an old value', '{ "k": [0, /* no */ 2] /* yes */ }', '{ "k": 1 /* yes */ }'],
    ['a key that occurs twice', '{"k":2,"k":3}', '{"k":2,"k":1}'],
  ])('keeps the layout of %s', (_what, text, expected) => {
    expect(set(text, 'k', '1')).toBe(expected);
  });

  it('changes only that key, in any settings', () => {
    fc.assert(
      fc.property(settingsText, fc.constantFrom('http.proxy', 'new.key'), (text, key) => {
        const result = set(text, key, '"http://new:1"');
        const expected = new Map(entriesOf(text)).set(key, 'http://new:1');
        expect(entriesOf(result)).toEqual(expected);
        // A comment inside of the old value is replaced with it.
        if (!entriesOf(text).has(key)) expect(commentsOf(result)).toEqual(commentsOf(text));
      }),
      { numRuns: 2000 },
    );
  });
});
