import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '#explain/nearest.ts';

const keys = ['name', 'version', 'platforms', 'components', 'image', 'models'];

describe('the suggested word', () => {
  it.each([
    ['imgae', 'image'],
    ['Image', 'image'],
    ['platform', 'platforms'],
    ['compnents', 'components'],
    ['modles', 'models'],
  ])('for %s is %s', (typed, meant) => expect(nearest(typed, keys)).toBe(meant));

  it.each(['x', 'something', 'colour', ''])('for %j is undefined', (typed) =>
    expect(nearest(typed, keys)).toBeUndefined(),
  );

  it('suggests only a known word or undefined', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (typed) => {
        const meant = nearest(typed, keys);
        expect(meant === undefined || keys.includes(meant)).toBe(true);
      }),
    );
  });
});
