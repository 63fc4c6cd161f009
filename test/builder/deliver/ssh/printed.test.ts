import { describe, expect, it } from 'vitest';
import { lastLines, plainJson, plainText } from '../../../../builder/deliver/ssh/printed.ts';

const hostile = '\u001b]0;title\u0007\u001b[31mred\u001b[0m\u202e\u009b2J';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach the terminal.
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;

describe('what a server prints', () => {
  it('shows the last lines that a server prints as plain text in an error', () => {
    const printed = [...Array.from({ length: 9 }, (_, index) => `${index}`), hostile, ''];
    expect(lastLines(printed.join('\n')).map(({ message }) => message)).toEqual([
      ...['5', '6', '7', '8', 'red'],
    ]);
  });

  it('keeps its columns in a report, without escape sequences', () => {
    expect(plainText('  URL    https://a\n')).toBe('  URL    https://a\n');
    expect(plainText(`a  b\n${hostile}\n`)).not.toMatch(control);
  });

  it('prints the JSON of a server on one line without control characters', () => {
    const text = plainJson(JSON.stringify({ url: hostile }));
    expect(text).not.toMatch(control);
    expect(Object.keys(JSON.parse(text))).toEqual(['url']);
  });

  it.each(['', '[]', `{${hostile}`])(
    'rejects output of a server that is not a JSON object: %j',
    (text) => {
      expect(() => plainJson(text)).toThrow('the server printed no valid JSON');
    },
  );

  it('converts the output of a server in linear time', () => {
    const start = performance.now();
    plainText('\u001b]'.repeat(4 << 20));
    lastLines('\u001b]'.repeat(4 << 20));
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
