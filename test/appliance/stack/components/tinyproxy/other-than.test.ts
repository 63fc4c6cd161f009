import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otherThan } from '../../../../../appliance/stack/components/tinyproxy/other-than.ts';

const word = fc.stringMatching(/^[a-d]{1,4}$/);

describe('a pattern for other words', () => {
  it('matches every word except those', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), word, (words, asked) => {
        const pattern = new RegExp(`^(?:${otherThan(words).join('|')})$`);
        for (const each of [...words, asked]) {
          expect(pattern.test(each)).toBe(!words.includes(each));
        }
      }),
    );
  });

  it('matches letters only, and no empty word', () => {
    const pattern = new RegExp(`^(?:${otherThan(['lan', 'local']).join('|')})$`);
    for (const text of ['', 'l4n', 'la-n', 'la.', '7', 'lan', 'local']) {
      expect(pattern.test(text), text).toBe(false);
    }
    for (const text of ['l', 'la', 'land', 'loca', 'locals', 'com']) {
      expect(pattern.test(text), text).toBe(true);
    }
  });
});
