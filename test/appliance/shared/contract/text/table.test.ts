import { describe, expect, it } from 'vitest';
import { alignRows, formatTable } from '#contract/text/table.ts';

describe('a table', () => {
  it('aligns the columns of a table, and writes lines without trailing spaces', () => {
    expect(
      formatTable([
        ['a', 'b', 'c'],
        ['longer', 'x'],
        ['', 'yy', 'z'],
      ]),
    ).toBe('a       b   c\nlonger  x\n        yy  z');
  });

  it('counts a Chinese character as two columns', () => {
    const [first, second] = formatTable([
      ['服务器', '1'],
      ['server', '2'],
    ]).split('\n');
    expect(first).toBe('服务器  1');
    expect(second).toBe('server  2');
  });

  it('may align a column to the right, and has minimum widths', () => {
    const rows = [
      ['a', '1.0 s', 'x'],
      ['b', '12 s', 'y'],
    ];
    expect(formatTable(rows, [{ min: 3 }, { align: 'right' }])).toBe(
      'a    1.0 s  x\nb     12 s  y',
    );
  });

  it('returns an empty table without rows', () => {
    expect(alignRows([], [{ min: 3 }])).toEqual([]);
  });
});
