import { describe, expect, it } from 'vitest';
import { lastEntry, parseSettings } from '#editor/jsonc/parse-settings.ts';

describe('settings that are not valid', () => {
  it.each([
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3, 3, 'comma expected'],
    ['an open object', '{\r\n  "a": 1', 2, 9, 'close brace expected'],
    ['an open comment', '{ /* ', 1, 3, 'unexpected end of comment'],
    ['trailing data', '{}\n{}', 2, 1, 'end of file expected'],
    ['100,000 levels', `{"a":${'['.repeat(100_000)}`, 1, 105, 'more than 100 levels'],
  ])('are rejected with line and column: %s', (_what, text, line, column, message) => {
    expect(() => parseSettings(text, 'settings.json')).toThrow(
      expect.objectContaining({
        code: 'CONFIG_SYNTAX',
        problems: [{ file: 'settings.json', line, column, message }],
      }),
    );
  });

  it.each(['[]', '1', '"text"', 'null'])('are rejected without an object: %s', (text) => {
    expect(() => parseSettings(text, 'settings.json')).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });
});

describe('settings that editors accept', () => {
  it.each(['', ' \n', '// only a comment', '{}', '{ "a": [1,], /* c */ }'])(
    'are accepted: %j',
    (text) => {
      expect(parseSettings(text, 'settings.json').text).toBe(text);
    },
  );

  it('have the last value of a key that occurs twice', () => {
    const settings = parseSettings('{"a": 1, "a": 2}', 'settings.json');
    expect(lastEntry(settings, 'a')?.value).toBe(2);
  });
});
