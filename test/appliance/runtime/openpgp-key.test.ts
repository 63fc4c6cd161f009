import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOpenpgpKey } from '../../../appliance/runtime/openpgp-key.ts';
import { armor, debianKey, newKey, packet } from './openpgp-keys.ts';

const { fingerprint, binary, base64 } = debianKey;
const primary = binary.subarray(2, 2 + (binary[1] ?? 0));
const armored = (lineBreak: string) => armor(base64, lineBreak);
const fingerprintOf = (file: Buffer | string) => readOpenpgpKey(Buffer.from(file))?.fingerprint;

describe('the fingerprint of an OpenPGP key', () => {
  it('is that of its primary key packet', () => {
    expect(fingerprintOf(binary)).toBe(fingerprint);
  });

  it.each(['\n', '\r\n'])('is the same in armor with lines that end in %j', (lineBreak) => {
    expect(fingerprintOf(armored(lineBreak))).toBe(fingerprint);
  });

  it('is the same with white space around the armor', () => {
    expect(fingerprintOf(`\n${armored('\n')}\n \n`)).toBe(fingerprint);
  });

  it('is the same in a packet of the new format, however its length is written', () => {
    for (const header of [
      [0xc6, primary.length],
      [0xc6, 0xff, 0, 0, 0, primary.length],
    ]) {
      expect(fingerprintOf(Buffer.concat([Buffer.from(header), primary]))).toBe(fingerprint);
    }
  });

  it('is the same in a packet of the old format, however its length is written', () => {
    for (const header of [
      [0x98, primary.length],
      [0x99, 0, primary.length],
      [0x9a, 0, 0, 0, primary.length],
    ]) {
      expect(fingerprintOf(Buffer.concat([Buffer.from(header), primary]))).toBe(fingerprint);
    }
  });

  it('changes with every byte of the key', () => {
    const length = 2 + (binary[1] ?? 0);
    for (let place = 3; place < length; place += 1) {
      const changed = Buffer.from(binary);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(fingerprintOf(changed)).toMatch(/^[0-9A-F]{40}$/);
      expect(fingerprintOf(changed)).not.toBe(fingerprint);
    }
  });

  it('is not found in what is no key', () => {
    expect(fingerprintOf('<html>404</html>')).toBeUndefined();
    expect(fingerprintOf('')).toBeUndefined();
    expect(fingerprintOf(Buffer.alloc(1 << 20))).toBeUndefined();
  });

  it('is not found in a key that is cut off anywhere but between two packets', () => {
    const ends = [primary.length + 2];
    ends.push((ends[0] ?? 0) + 2 + (binary[(ends[0] ?? 0) + 1] ?? 0));
    for (let length = 1; length < binary.length; length += 1) {
      const found = fingerprintOf(binary.subarray(0, length)) !== undefined;
      expect([length, found]).toEqual([length, ends.includes(length)]);
    }
  });
});

// Only the first packet was compared, and the whole file was handed to apt.
describe('a file with more than one key', () => {
  const other = newKey();

  it.each([
    ['one after the other', Buffer.concat([binary, other])],
    ['one after the other, in one block of armor', armor(Buffer.concat([binary, other]))],
    ['in two blocks, one after the other', armored('\n') + armor(other)],
    ['in two blocks, with an empty line between', `${armored('\n')}\n${armor(other)}`],
    ['in a block inside the headers of another', nested()],
  ])('is no key: %s', (_, file) => {
    expect(readOpenpgpKey(Buffer.from(file))).toBeUndefined();
  });

  it.each([
    [5, 'a private key'],
    [7, 'a private subkey'],
    [8, 'compressed packets, which could hold a key'],
    [6, 'a primary key of another version', Buffer.from([6, 0, 0, 0])],
    [60, 'a packet that nobody knows'],
  ])('is no key with packet %i: %s', (tag, _, body = Buffer.alloc(3)) => {
    expect(readOpenpgpKey(Buffer.concat([binary, packet(tag, body)]))).toBeUndefined();
  });

  function nested(): string {
    return armored('\n').replace('Comment: any', `Comment: any\n${armor(other)}`);
  }
});

describe('a key with a part that has no end', () => {
  it.each([
    ['of indefinite length', [0xb7]],
    ['of partial lengths', [0xcd, 0xe1, 0, 0, 0xcd, 0x00]],
    ['that says it is longer than the file', [0xcd, 0xff, 0xff, 0xff, 0xff, 0xff]],
  ])('is no key: %s', (_, bytes) => {
    expect(readOpenpgpKey(Buffer.concat([binary, Buffer.from(bytes)]))).toBeUndefined();
  });
});

describe('text around the armor of a key', () => {
  it.each([
    ['before it', `words\n${armored('\n')}`],
    ['after it', `${armored('\n')}words\n`],
    ['between its lines', armored('\n').replace('=5NZE', 'not base64 =\n=5NZE')],
    ['in place of its headers', armored('\n').replace('Comment: any', 'any words')],
    ['in place of the empty line', armored('\n').replace('\n\n', '\n')],
  ])('makes it no key: %s', (_, file) => {
    expect(readOpenpgpKey(Buffer.from(file))).toBeUndefined();
  });
});

describe('what is handed on of a key', () => {
  it('is what was judged, without the comments of its file', () => {
    const text = readOpenpgpKey(Buffer.from(armored('\r\n')))?.text ?? '';
    expect(text).not.toMatch(/Comment|\r/);
    expect(readOpenpgpKey(Buffer.from(text))).toEqual({ fingerprint, text });
    expect(readOpenpgpKey(binary)?.text).toBe(text);
  });

  it('is never a second key, whatever is put behind the first', () => {
    const anything = fc.uint8Array({ minLength: 1, maxLength: 200 });
    const behind = fc.oneof(
      anything.map((bytes) => Buffer.from(bytes)),
      part(),
    );
    fc.assert(
      fc.property(behind, (bytes) => {
        const key = readOpenpgpKey(Buffer.concat([binary, bytes]));
        const first = bytes.readUInt8(0);
        const tag = first & 0x40 ? first & 0x3f : (first >> 2) & 0x0f;
        expect(key === undefined || [2, 13, 14, 17].includes(tag)).toBe(true);
      }),
    );
  });

  it('is the same when it is read again, whatever the file held', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
      fc.array(part()).map((parts) => Buffer.concat(parts)),
      fc.array(part()).map((parts) => Buffer.from(armor(Buffer.concat(parts)))),
      fc.string({ unit: 'binary' }).map((words) => Buffer.from(armored('\n') + words)),
    );
    fc.assert(
      fc.property(anything, (file) => {
        const key = readOpenpgpKey(file);
        if (!key) return;
        expect(key.fingerprint).toMatch(/^[0-9A-F]{40}$/);
        expect(readOpenpgpKey(Buffer.from(key.text))).toEqual(key);
      }),
    );
  });

  /** A packet of any kind, or a key. */
  function part() {
    return fc.oneof(
      fc.constant(binary),
      fc
        .tuple(fc.constantFrom(2, 5, 6, 13, 14, 17), fc.uint8Array({ maxLength: 300 }))
        .map(([tag, body]) => packet(tag, Buffer.from(body))),
    );
  }
});
