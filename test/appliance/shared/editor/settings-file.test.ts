import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { changeSettings, readSettings, valueIn } from '#editor/settings-file.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { commentsOf, entriesOf, settingsText } from './arbitrary-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'landfall-settings-'));
const file = join(folder, 'settings.json');
afterAll(() => rmSync(folder, { recursive: true }));

const parse = (text: string) => {
  writeFileSync(file, text);
  return readSettings(file);
};
const set = async (text: string, value: unknown, key = 'k') =>
  changeSettings(await parse(text), [[key, value]]);

describe('settings that are not valid', () => {
  it.each([
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3, 3, 'comma expected'],
    ['an open object', '{\r\n  "a": 1', 2, 9, 'close brace expected'],
    ['an open comment', '{ /* ', 1, 3, 'unexpected end of comment'],
    ['trailing data', '{}\n{}', 2, 1, 'end of file expected'],
  ])(
    'rejects invalid settings with line and column: %s',
    async (_what, text, line, column, message) => {
      await expect(parse(text)).rejects.toMatchObject({
        code: 'CONFIG_SYNTAX',
        problems: [{ file, line, column, message }],
      });
    },
  );

  it.each(['[]', '1', '"text"', 'null'])('rejects settings without an object: %s', async (text) => {
    await expect(parse(text)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});

describe('deep settings', () => {
  it('rejects 100,000 levels of lists with a code', async () => {
    await expect(parse(`{"a":${'['.repeat(100_000)}`)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });
});

describe('settings that editors accept', () => {
  it.each(['', ' \n', '// only a comment', '{}', '{ "a": [1,], /* c */ }'])(
    'accepts settings that editors accept: %j',
    async (text) => {
      expect((await parse(text)).text).toBe(text);
    },
  );

  it('returns the last value of a settings key that occurs twice', async () => {
    expect(valueIn(await parse('{"a": 1, "a": 2}'), 'a')).toBe(2);
  });
});

describe('changing a key', () => {
  it.each([
    ['an empty file', '', '{\n    "k": 1\n}'],
    ['a comment without an object', '// mine', '{\n    "k": 1\n} // mine'],
    ['an empty object', '{}', '{\n    "k": 1\n}'],
    ['a comment in an empty object', '{ // mine\n}', '{\n    "k": 1 // mine\n}'],
    ['tabs', '{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"k": 1\n}\n'],
    ['Windows line ends', '{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "k": 1\r\n}'],
    ['a comment after the last value', '{\n  "a": 1 // one\n}', '{\n  "a": 1,\n  "k": 1 // one\n}'],
    ['a trailing comma', '{\n  "a": 1,\n}', '{\n  "a": 1,\n  "k": 1,\n}'],
    ['an old value', '{ "k": [0, /* no */ 2] /* yes */ }', '{ "k": 1 /* yes */ }'],
  ])('keeps the layout of %s', async (_what, text, expected) => {
    expect(await set(text, 1)).toBe(expected);
  });

  it('removes a key with its line', async () => {
    expect(await set('{\n  "a": 1, // one\n  "k": 1\n}', undefined)).not.toContain('k');
    expect(await set('{\n  "k": 1,\n  "a": 1 // one\n}', undefined)).toBe('{\n  "a": 1 // one\n}');
    expect(await set('{ "a": 1 }', undefined)).toBe('{ "a": 1 }');
  });

  it('rejects a key that occurs twice, because the library changes the first one', async () => {
    await expect(set('{"k": 2, "k": 3}', 1)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('changes only that key, in any settings, and can be undone', async () => {
    const keys = fc.constantFrom('http.proxy', 'new.key');
    await fc.assert(
      fc.asyncProperty(settingsText, keys, async (text, key) => {
        const isNew = !entriesOf(text).has(key);
        const result = await set(text, 'http://new:1', key);
        const expected = new Map(entriesOf(text)).set(key, 'http://new:1');
        expect(entriesOf(result)).toEqual(expected);
        const before = (await parse(text)).entries.length;
        expect((await parse(result)).entries).toHaveLength(before + (isNew ? 1 : 0));
        // A comment inside of the old value is replaced with it.
        if (!isNew) return;
        expect(commentsOf(result)).toEqual(commentsOf(text));
        const undone = await set(result, undefined, key);
        expect(entriesOf(undone)).toEqual(entriesOf(text));
        expect(commentsOf(undone)).toEqual(commentsOf(text));
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
