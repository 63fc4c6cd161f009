import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { displayWidth } from '#contract/text/display-width.ts';
import { formatError } from '#contract/text/error.ts';
import { wrap } from '#contract/text/wrap.ts';

describe('a line that is longer than the terminal is wide', () => {
  it('wraps a line that is longer than the terminal is wide', () => {
    expect(wrap('the quick brown fox jumps over the lazy dog', 25)).toEqual([
      'the quick brown fox jumps',
      '  over the lazy dog',
    ]);
  });

  it('counts colours of a line as no columns', () => {
    expect(wrap('the \x1b[31mquick\x1b[39m brown fox jumps over the lazy dog', 25)).toEqual([
      'the \x1b[31mquick\x1b[39m brown fox jumps',
      '  over the lazy dog',
    ]);
  });

  it('breaks a long line without a space anywhere', () => {
    expect(wrap('a'.repeat(50), 30)).toEqual(['a'.repeat(30), `  ${'a'.repeat(20)}`]);
  });

  it('keeps all text and fits', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '模', '镜'), maxLength: 400, size: 'max' }),
        fc.integer({ min: 1, max: 120 }),
        (text, columns) => {
          const lines = wrap(text, columns);
          for (const line of lines)
            expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(columns, 20));
          const squeeze = (value: string) => value.replace(/\s/g, '');
          expect(squeeze(lines.join(''))).toBe(squeeze(text));
        },
      ),
    );
  });

  it('breaks no word, and keeps the indentation of the line', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '`'), minLength: 1, maxLength: 14 })),
        fc.integer({ min: 40, max: 100 }),
        (words, columns) => {
          const lines = wrap(`  ${words.join(' ')}`, columns);
          expect(lines.join(' ').split(/ +/).filter(Boolean)).toEqual(words);
          for (const line of lines.slice(1)) expect(line).toMatch(/^ {4}\S/);
        },
      ),
    );
  });

  it('keeps a command in backticks on one line, because people copy it', () => {
    const text =
      'Log in again in a second window, and run `sudo landfall confirm` there in ten minutes.';
    expect(wrap(text, 60)).toEqual([
      'Log in again in a second window, and run',
      '  `sudo landfall confirm` there in ten minutes.',
    ]);
    const long = `\`${'word '.repeat(9)}end\``;
    expect(wrap(long, 30)).toHaveLength(2);
  });

  it('begins no line with Chinese punctuation', () => {
    const text = '站点运行正常，请重新登录。'.repeat(6);
    for (const line of wrap(text, 30)) expect(line).not.toMatch(/^\s*[，。]/);
  });

  it.each(Array.from({ length: 12 }, (_, index) => index + 24))(
    'keeps numbers with their units and brackets with their texts at %i columns',
    (columns) => {
      const lines = wrap('服务器至少要有 16 核（内存“越大越好”）。'.repeat(4), columns);
      for (const line of lines.slice(0, -1)) expect(line).not.toMatch(/(?:\d|[（“])$/);
    },
  );
});

it('wraps message, problems and hint of an error at 80 columns, but no line to copy', () => {
  const words = 'one sentence of several words that is repeated '.repeat(4).trim();
  const corrected = `timezone: Asia/Shanghai  # ${words}`;
  const problems = [{ message: words, corrected }];
  const error = new LandfallError('USAGE', words, { hint: words, problems });
  const lines = formatError(error, { columns: 79 }).split('\n');
  expect(lines).toContain(corrected);
  for (const line of lines) {
    if (line !== corrected) expect(line.length).toBeLessThanOrEqual(79);
  }
  expect(lines.join(' ').match(/repeated/g)).toHaveLength(16);
});
