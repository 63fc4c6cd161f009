import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripEscapeSequences } from '#contract/text/escape-sequences.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';

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
