import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, hasUnseen } from '../../../../appliance/shared/yaml/decode-text.ts';
import { errorOf } from '../../../setup/landfall-error.ts';

const failure = (bytes: Uint8Array) => errorOf(() => decodeText(bytes, 'site.yaml'));

describe('valid text', () => {
  it.each(['a: 1\n', 'name: 私有服务器\r\n', '# emoji 🛬 and a tab\t\n', ''])(
    'may be %j',
    (text) => {
      expect(decodeText(Buffer.from(text), 'site.yaml')).toBe(text);
    },
  );
});

describe('invalid text', () => {
  it.each([
    ['a byte order mark', Buffer.from('\ufeffa: 1'), 'site.yaml starts with a byte order mark'],
    ['UTF-16 from Windows', Buffer.from('\ufeffa: 1', 'utf16le'), 'site.yaml is encoded in UTF-16'],
    ['big-endian UTF-16', Buffer.from([0xfe, 0xff, 0, 0x61]), 'site.yaml is encoded in UTF-16'],
    ['GBK', Buffer.from([0xc4, 0xe3]), 'site.yaml is not UTF-8 text'],
    ['a truncated character', Buffer.from('你').subarray(0, 2), 'site.yaml is not UTF-8 text'],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), 'site.yaml is not UTF-8 text'],
  ])('rejects invalid text: %s', (_name, bytes, message) => {
    expect(failure(bytes)).toMatchObject({ code: 'CONFIG_ENCODING', message });
  });

  it.each([
    ['a zero byte', '\0', 'U+0000'],
    ['an escape sequence for terminals', '\x1b[2J', 'U+001B'],
    ['a text direction override', '\u202e', 'U+202E'],
    ['a byte order mark in the middle', '\ufeff', 'U+FEFF'],
  ])('rejects invalid text with its position: %s', (_name, unseen, named) => {
    expect(failure(Buffer.from(`a: 1\nb: x${unseen}\n`))).toMatchObject({
      code: 'CONFIG_ENCODING',
      problems: [{ line: 2, column: 5, message: `invisible character ${named}` }],
    });
  });
});

describe('any bytes', () => {
  it('decodes any bytes without changes or rejects them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        let text: string;
        try {
          text = decodeText(bytes, 'site.yaml');
        } catch (error) {
          expect(error).toMatchObject({ code: 'CONFIG_ENCODING' });
          return;
        }
        expect(Buffer.from(text).equals(bytes)).toBe(true);
        expect(hasUnseen(text)).toBe(false);
      }),
    );
  });
});
