import { describe, expect, it } from 'vitest';
import { alignRows, formatTable } from '#contract/text/table.ts';

describe('a table', () => {
  it('aligns its columns and ends its lines without spaces', () => {
    expect(
      formatTable([
        ['a', 'b', 'c'],
        ['longer', 'x'],
        ['', 'yy', 'z'],
      ]),
    ).toBe('a       b   c\nlonger  x\n        yy  z');
  });

  it('counts a Chinese character as the two columns that it takes', () => {
    const [first, second] = formatTable([
      ['服务器', '1'],
      ['server', '2'],
    ]).split('\n');
    expect(first).toBe('服务器  1');
    expect(second).toBe('server  2');
  });

  it('aligns a column to the right and keeps its least width', () => {
    const rows = [
      ['a', '1.0 s', 'x'],
      ['b', '12 s', 'y'],
    ];
    expect(formatTable(rows, [{ least: 3 }, { align: 'right' }])).toBe(
      'a    1.0 s  x\nb     12 s  y',
    );
  });

  it('has no rows where it is given none', () => {
    expect(alignRows([], [{ least: 3 }])).toEqual([]);
  });
});
