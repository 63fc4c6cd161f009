import { describe, expect, it } from 'vitest';
import { roomOn, wantsColour } from '#terminal/screen.ts';

const screen = (isTTY: boolean) => ({ isTTY, write: () => {} });

describe('colours are wanted on', () => {
  it.each([
    ['a terminal', true, {}, true],
    ['a file or a pipe', false, {}, false],
    ['a terminal whose owner wants none', true, { NO_COLOR: '1' }, false],
    ['a terminal that cannot', true, { TERM: 'dumb' }, false],
    ['an empty NO_COLOR, which means nothing', true, { NO_COLOR: '' }, true],
  ])('%s', (_case, isTTY, env, answer) => {
    expect(wantsColour(screen(isTTY), env)).toBe(answer);
  });
});

describe('the room on a screen', () => {
  it('leaves the last column and the last row free', () => {
    expect(roomOn({ columns: 100, rows: 40, write: () => {} })).toEqual({ columns: 99, rows: 39 });
  });

  it('is that of a usual console where the size is not known', () => {
    expect(roomOn({ columns: 0, rows: 0, write: () => {} })).toEqual({ columns: 79, rows: 23 });
  });
});
