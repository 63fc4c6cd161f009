import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, startWithin, stripEscapeSequences } from '#contract/text/display-width.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';

describe('the width of a text', () => {
  it('counts wide East Asian characters twice', () => {
    expect(displayWidth('abc')).toBe(3);
    expect(displayWidth('模型')).toBe(4);
  });

  it('counts no escape sequence', () => {
    expect(displayWidth('\x1b[31m模型\x1b[39m')).toBe(4);
  });
});

describe('the start of a text within a width', () => {
  it.each([
    ['abc', 2, 'ab'],
    ['abc', 5, 'abc'],
    ['a模型', 4, 'a模'],
    ['a模型', 5, 'a模型'],
    ['\x1b[31mab\x1b[39mc', 2, '\x1b[31mab\x1b[39m'],
  ])('returns the start of %s in %d columns as %s', (text, columns, start) => {
    expect(startWithin(text, columns)).toBe(start);
  });
});

describe('escape sequences', () => {
  const piece = fc.oneof(
    fc.constantFrom('\x1b', '\x9b', '\x07', '\x9c', '\x1b\\', '[', ']', ';', '?', '0', '12', 'm'),
    fc.constantFrom('8;;https://example.com', 'text', 'K', '(B', '#', ' ', '\n'),
    fc.string({ maxLength: 3 }),
  );

  it('removes escape sequences like Node', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(stripEscapeSequences(text)).toBe(stripVTControlCharacters(text));
      }),
      { numRuns: fuzzRuns(5000) },
    );
  });
});
