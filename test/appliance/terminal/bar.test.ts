import { describe, expect, it } from 'vitest';
import { bar } from '#terminal/bar.ts';

describe('a bar', () => {
  it.each([
    [0, '[----------]   0 %'],
    [0.5, '[#####-----]  50 %'],
    [0.999, '[#########-]  99 %'],
    [1, '[##########] 100 %'],
  ])('of %d is %s', (part, drawn) => {
    expect(bar(part, 10)).toBe(drawn);
  });
});
