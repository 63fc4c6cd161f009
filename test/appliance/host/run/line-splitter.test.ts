import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../../appliance/host/run/line-splitter.ts';

/** Returns the lines of these chunks. */
function split(...pieces: readonly Buffer[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const piece of pieces) splitter.write(piece);
  splitter.end();
  return lines;
}

describe('LineSplitter', () => {
  it('splits lines and skips empty ones', () => {
    expect(split(Buffer.from('one\n\ntwo\r\nthree'))).toEqual(['one', 'two', 'three']);
  });

  it('splits at carriage returns', () => {
    expect(split(Buffer.from(' 10%\r 20%\r 30%\n'))).toEqual([' 10%', ' 20%', ' 30%']);
  });

  it('limits the length of a line', () => {
    const lines = split(Buffer.alloc(100_000, 'a'));
    expect(lines.join('')).toHaveLength(100_000);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(8192);
  });

  it('does not depend on chunk boundaries', () => {
    const text = fc
      .array(fc.constantFrom('ä', '漢', '😀', 'a', ' ', '\n', '\r', '\r\n'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 60 })), (written, cuts) => {
        const bytes = Buffer.from(written);
        const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])];
        const ends = places.sort((a, b) => a - b);
        const pieces = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
        const lines = written.split(/[\r\n]+/).filter((line) => line !== '');
        expect(split(...pieces)).toEqual(lines);
      }),
    );
  });
});
