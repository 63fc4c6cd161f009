import { describe, expect, it } from 'vitest';
import { formatBytes, formatSeconds, formatTable } from '../../../builder/progress/format.ts';

describe('bytes for people', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [12_345, '12.3 kB'],
    [123_456, '123 kB'],
    [999_499, '999 kB'],
    [999_600, '1.0 MB'],
    [4.7e9, '4.7 GB'],
    [2e15, '2000 TB'],
  ])('%d is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

describe('seconds for people', () => {
  it.each([
    [0.04, '0.0 s'],
    [9.94, '9.9 s'],
    [10.4, '10 s'],
    [119.4, '119 s'],
    [120, '2 min 0 s'],
    [3671, '1 h 1 min'],
  ])('%d is %s', (seconds, text) => expect(formatSeconds(seconds)).toBe(text));
});

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
});
