import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '#editor/jsonc/parse-settings.ts';
import { removeKey } from '#editor/jsonc/remove-key.ts';
import { setKey } from '#editor/jsonc/set-key.ts';
import { commentsOf, entriesOf, settingsText } from './texts.ts';

const remove = (text: string) => removeKey(parseSettings(text, 'settings.json'), 'k');

describe('removing a key', () => {
  it.each([
    ['the last one', '{\n  "a": 1, // one\n  "k": 1\n}', '{\n  "a": 1 // one\n}'],
    ['the first one', '{\n  "k": 1,\n  "a": 1\n}', '{\n  "a": 1\n}'],
    ['one before a trailing comma', '{\n  "a": 1,\n  "k": 1,\n}', '{\n  "a": 1,\n}'],
    ['the only one', '{\r\n  "k": 1\r\n}\r\n', '{\r\n}\r\n'],
    ['one with a comment', '{\n  "k": 1, // why\n  "a": 1\n}', '{\n   // why\n  "a": 1\n}'],
    ['one before a distant comma', '{"k": 1 /* c */\n , "a": 1}', '{ /* c */\n  "a": 1}'],
    ['a missing one', '{ "a": 1 }', '{ "a": 1 }'],
  ])('keeps the comments and the other lines: %s', (_what, text, expected) => {
    expect(remove(text)).toBe(expected);
  });

  it('undoes setting a new key, in any settings', () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        const before = parseSettings(text, 'settings.json');
        const after = parseSettings(setKey(before, 'new.key', '["x"]'), 'settings.json');
        const undone = removeKey(after, 'new.key');
        expect(entriesOf(undone)).toEqual(entriesOf(text));
        expect(commentsOf(undone)).toEqual(commentsOf(text));
        expect(parseSettings(undone, 'settings.json').entries).toHaveLength(before.entries.length);
      }),
      { numRuns: 2000 },
    );
  });
});
