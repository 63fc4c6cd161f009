import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FolderNames, safeName } from '../../../../../appliance/server/chats/export/safe-name.ts';

const options = { fallback: 'chat', max: 80 };
const name = (text: string) => safeName(text, options);

describe('safeName', () => {
  it.each([
    ['Herons in spring', 'Herons in spring'],
    ['苍鹭 🐦', '苍鹭 🐦'],
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\Windows\\win.ini', 'C-Windows-win.ini'],
    ['a\u0000b\u001b[2Jc', 'ab[2Jc'],
    ['first\nsecond\tthird', 'first second third'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['~root', 'root'],
    ['why?', 'why'],
    ['ends with dots...', 'ends with dots'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['com1 .log', '_com1 .log'],
    ['console', 'console'],
    ['', 'chat'],
    ['///', 'chat'],
    ['..', 'chat'],
    ['\ud800', 'chat'],
    ['e\u0301', '\u00e9'],
  ])('converts %j to %j', (text, expected) => {
    expect(name(text)).toBe(expected);
  });

  it('keeps the extension of a long name', () => {
    const long = name(`${'苍'.repeat(500)}.xlsx`);
    expect(long).toMatch(/^苍+\.xlsx$/);
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(80);
    expect(name(`a${'b'.repeat(5_000_000)}.pdf`)).toMatch(/^ab+\.pdf$/);
  });

  it('returns a name that Linux, macOS and Windows accept, for any text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const safe = name(text);
        expect(safe).toMatch(/^[^\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]+$/u);
        expect(safe).not.toMatch(/^[.~\s-]|[.\s]$/);
        expect(safe).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(81);
        expect(safe.normalize('NFC')).toBe(safe);
      }),
    );
  });
});

/** Parts of hostile names, and any text. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '/', '\\', 'nul', 'CON', '.', ' ', '\n', '\u202e', '\u200b', 'é', 'a'),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

describe('FolderNames', () => {
  it('numbers equal names before the extension', () => {
    const names = new FolderNames();
    const taken = ['notes.txt', 'Notes.TXT', 'notes.txt', 'notes-2.txt', 'plan', 'plan'];
    expect(taken.map((each) => names.take(each))).toEqual([
      'notes.txt',
      'Notes-2.TXT',
      'notes-3.txt',
      'notes-2-2.txt',
      'plan',
      'plan-2',
    ]);
  });

  it('returns different names for any texts, also without upper case', () => {
    const text = fc.oneof(
      hostile,
      fc.constantFrom('a', 'A', 'a-2', 'ß', 'SS', 'ſ', 'İ', 'ﬁ', 'FI'),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
        const names = new FolderNames();
        const taken = texts.map((each) => names.take(name(each)).toUpperCase().toLowerCase());
        expect(new Set(taken).size).toBe(texts.length);
      }),
    );
  });
});
