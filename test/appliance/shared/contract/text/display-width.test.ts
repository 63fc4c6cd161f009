import { describe, expect, it } from 'vitest';
import { displayWidth, startWithin } from '#contract/text/display-width.ts';

describe('the width of a text', () => {
  it('counts wide East Asian characters twice', () => {
    expect(displayWidth('abc')).toBe(3);
    expect(displayWidth('模型')).toBe(4);
  });
});

describe('the start of a text within a width', () => {
  it.each([
    ['abc', 2, 'ab'],
    ['abc', 5, 'abc'],
    ['a模型', 4, 'a模'],
    ['a模型', 5, 'a模型'],
  ])('returns the start of %s in %d columns as %s', (text, columns, start) => {
    expect(startWithin(text, columns)).toBe(start);
  });
});
