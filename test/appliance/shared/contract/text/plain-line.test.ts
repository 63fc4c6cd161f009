import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLine } from '#contract/text/plain-line.ts';

describe('a plain line of untrusted text', () => {
  it('contains no colours, cursor movements and window titles', () => {
    expect(plainLine('\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b[2Jtext')).toBe('red text');
  });

  it('converts untrusted text to a single line', () => {
    expect(plainLine(' a\nb\r\n\tc \0 d\u2028e ')).toBe('a b c d e');
  });

  it('contains no characters that change the text direction', () => {
    expect(plainLine('abc\u202egnp.exe')).toBe('abc gnp.exe');
    expect(plainLine('abc\u061cdef')).toBe('abc def');
  });

  it('contains no invisible tag characters', () => {
    expect(plainLine('abc\u{e0041}\u{e0042}def')).toBe('abc def');
  });

  it('truncates a line of untrusted text with an ellipsis if it is too long', () => {
    expect(plainLine('a'.repeat(300))).toBe(`${'a'.repeat(199)}…`);
    expect(plainLine('a'.repeat(300), 10)).toBe('aaaaaaaaa…');
  });

  it('keeps letters of every language', () => {
    expect(plainLine('装载镜像 déjà vu')).toBe('装载镜像 déjà vu');
  });

  it('limits the length of a line, and removes control characters, for any untrusted text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        const line = plainLine(text);
        expect(line.length).toBeLessThanOrEqual(200);
        expect(line).not.toMatch(/[\p{Cc}\u2028-\u202e]/u);
        expect(plainLine(line)).toBe(line);
      }),
    );
  });
});
