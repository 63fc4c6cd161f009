import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameValue } from '#contract/site/brief-site.ts';

describe('two JSON values', () => {
  const value = fc
    .jsonValue({ maxDepth: 3, noUnicodeString: true })
    .map((each) => JSON.parse(JSON.stringify(each)));

  it('compares two JSON values like the deep equality of Node', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(isSameValue(one, other)).toBe(isDeepStrictEqual(one, other));
        expect(isSameValue(one, structuredClone(one))).toBe(true);
      }),
    );
  });

  it.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: undefined }, {}, false],
    [{ a: undefined }, { b: 1 }, false],
    [[], {}, false],
    [[1, 2], [1], false],
    [null, {}, false],
  ])('%j and %j: %s', (one, other, expected) => {
    expect(isSameValue(one, other)).toBe(expected);
    expect(isSameValue(other, one)).toBe(expected);
  });
});
