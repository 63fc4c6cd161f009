import { describe, expect, it } from 'vitest';
import { paintFor } from '#terminal/paint-for.ts';

describe('colour', () => {
  it.each([
    ['a terminal', true, {}, '\x1b[31mtext\x1b[39m'],
    ['a file or a pipe', false, {}, 'text'],
    ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, 'text'],
    ['a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, '\x1b[31mtext\x1b[39m'],
    ['a terminal without colour', true, { TERM: 'dumb' }, 'text'],
  ])('on %s', (_case, isTTY, env, painted) => {
    expect(paintFor({ isTTY, write: () => {} }, env)('red', 'text')).toBe(painted);
  });
});
