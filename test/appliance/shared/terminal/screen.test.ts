import { describe, expect, it } from 'vitest';
import { canRedraw, roomOn } from '#terminal/screen.ts';

describe('rows are redrawn', () => {
  it.each([
    ['on a terminal', true, {}, true],
    ['on a terminal without colour', true, { NO_COLOR: '1' }, true],
    ['not in a file or a pipe', false, {}, false],
    ['not on a terminal without cursor movement', true, { TERM: 'dumb' }, false],
    ['not in the log of a CI job', true, { CI: '1' }, false],
  ])('%s', (_case, isTTY, env, expected) => {
    expect(canRedraw({ isTTY, write: () => {} }, env)).toBe(expected);
  });
});

describe('the usable size of a screen', () => {
  it('excludes the last column and the last row', () => {
    expect(roomOn({ columns: 100, rows: 40, write: () => {} })).toEqual({ columns: 99, rows: 39 });
  });

  it('assumes an 80x24 console if the size of the screen is unknown', () => {
    expect(roomOn({ columns: 0, rows: 0, write: () => {} })).toEqual({ columns: 79, rows: 23 });
  });
});
