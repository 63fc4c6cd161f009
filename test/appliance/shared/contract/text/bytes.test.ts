import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areEqual,
  concatBytes,
  decodeUtf8,
  encodeUtf8,
  fromBase64,
  fromHex,
  readAtMost,
  toBase64,
  toHex,
  toLatin1,
} from '#contract/text/bytes.ts';

const anyBytes = fc.uint8Array({ maxLength: 300 });

describe('bytes without Buffers of Node', () => {
  it('encodes bytes as hex, base64 and ISO 8859-1 like Node', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect(toLatin1(bytes)).toBe(Buffer.from(bytes).toString('latin1'));
        expect(areEqual(fromHex(toHex(bytes)), bytes)).toBe(true);
        expect(areEqual(fromBase64(toBase64(bytes)) ?? new Uint8Array(), bytes)).toBe(true);
      }),
    );
  });

  it('compares bytes as equal if every byte is equal', () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, (one, other) => {
        expect(areEqual(one, other)).toBe(Buffer.from(one).equals(other));
        expect(areEqual(one, Uint8Array.from(one))).toBe(true);
      }),
    );
  });

  it('concatenates bytes in order', () => {
    fc.assert(
      fc.property(fc.array(anyBytes), (parts) => {
        expect(Buffer.from(concatBytes(...parts))).toEqual(Buffer.concat(parts));
      }),
    );
  });
});

describe('UTF-8 text', () => {
  it('encodes and decodes UTF-8 like Node, for any text and bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), anyBytes, (text, bytes) => {
        expect(Buffer.from(encodeUtf8(text))).toEqual(Buffer.from(text));
        expect(decodeUtf8(bytes)).toBe(Buffer.from(bytes).toString());
      }),
    );
  });

  it('keeps a byte order mark', () => {
    expect(decodeUtf8(encodeUtf8('\ufeffx'))).toBe('\ufeffx');
  });
});

describe('base64', () => {
  it('may lack its padding', () => {
    expect(toHex(fromBase64('AQI') ?? new Uint8Array())).toBe('0102');
  });

  it.each(['A', 'A===', 'AB=C', 'A-_A', 'ä'])('rejects %j as base64', (text) => {
    expect(fromBase64(text)).toBeUndefined();
  });
});

describe('the first bytes of a stream', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });

  it('equal those of the whole, for pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(200), async (chunks, maxBytes) => {
        const read = await readAtMost(Readable.from(chunks), maxBytes);
        expect(read).toEqual(concatBytes(...chunks).subarray(0, maxBytes));
      }),
    );
  });

  it('end a stream that would never end', async () => {
    const endless = new Readable({ read: () => endless.push(Buffer.alloc(1000)) });
    expect(await readAtMost(endless, 1500)).toHaveLength(1500);
    expect(endless.destroyed).toBe(true);
  });
});
