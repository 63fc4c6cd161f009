import { describe, expect, it } from 'vitest';
import { displayWidth } from '#contract/text/display-width.ts';

describe('the width of a text', () => {
  it('counts wide East Asian characters twice', () => {
    expect(displayWidth('abc')).toBe(3);
    expect(displayWidth('模型')).toBe(4);
  });
});
