import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockSize,
  decodeTarHeader,
  encodeTarHeader,
  endOfArchive,
  paddingAfter,
  type TarEntry,
} from '#contract/bundle/tar-header.ts';
import { path } from '../../../../simulator/arbitrary.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';
import { base256, tarHeader } from '../../../../simulator/tar.ts';

const entry: TarEntry = { name: 'bin/tool', size: 17, mtime: 1_790_000_000, executable: true };
const eightGiB = 8 * 1024 ** 3;
const anyEntry: fc.Arbitrary<TarEntry> = fc.record({
  name: path,
  size: fc.oneof(fc.nat(), fc.maxSafeNat(), fc.integer({ min: eightGiB - 2, max: eightGiB + 2 })),
  mtime: fc.integer({ min: 0, max: 0o77777777777 }),
  executable: fc.boolean(),
});

describe('a tar header', () => {
  it('keeps a tar header unchanged through encoding and decoding', () => {
    fc.assert(
      fc.property(anyEntry, (any) => {
        expect(decodeTarHeader(encodeTarHeader(any))).toEqual(any);
      }),
      { numRuns: fuzzRuns(1000) },
    );
  });

  it('equals the header of an independent ustar writer', () => {
    fc.assert(
      fc.property(anyEntry, ({ name, size, mtime, executable }) => {
        const honest = tarHeader(name, 0, mtime, {
          mode: executable ? '0000755\0' : '0000644\0',
          size: size < eightGiB ? size : base256(BigInt(size)),
        });
        expect(Buffer.from(encodeTarHeader({ name, size, mtime, executable }))).toEqual(honest);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('rejects a tar header with any bit changed', () => {
    const header = Buffer.from(encodeTarHeader(entry));
    for (let bit = 0; bit < 8 * blockSize; bit += 1) {
      const other = Buffer.from(header);
      const at = Math.floor(bit / 8);
      other.writeUInt8(header.readUInt8(at) ^ (1 << (bit % 8)), at);
      expect(decodeTarHeader(other)).toBeUndefined();
    }
  });

  it('rejects random blocks as tar headers without a crash', () => {
    const rubbish = fc.uint8Array({ minLength: blockSize, maxLength: blockSize });
    fc.assert(
      fc.property(rubbish, (block) => {
        expect(decodeTarHeader(Buffer.from(block))).toBeUndefined();
      }),
      { numRuns: fuzzRuns(500) },
    );
  });

  it('stores sizes below 8 GiB in octal, and from 8 GiB in base-256', () => {
    const last = Buffer.from(encodeTarHeader({ ...entry, size: eightGiB - 1 }));
    const first = Buffer.from(encodeTarHeader({ ...entry, size: eightGiB }));
    expect(last.toString('latin1', 124, 136)).toBe('77777777777\0');
    expect(first.subarray(124, 136)).toEqual(Buffer.from('800000000000000200000000', 'hex'));
  });

  it.each([
    ['no name', { name: '' }],
    ['a name that tar would truncate', { name: 'x'.repeat(101) }],
    ['a name outside of ASCII', { name: 'ä' }],
    ['a name that climbs out', { name: '../x' }],
    ['a size below zero', { size: -1 }],
    ['half a byte', { size: 0.5 }],
    ['a size over 2^53', { size: 2 ** 53 }],
    ['no size', { size: Number.NaN }],
    ['a time before 1970', { mtime: -1 }],
    ['half a second', { mtime: 1.5 }],
    ['a time after 2242', { mtime: 0o77777777777 + 1 }],
    ['no time', { mtime: Number.NaN }],
  ])('cannot be created for %s', (_, change) => {
    expect(() => encodeTarHeader({ ...entry, ...change })).toThrow(
      expect.objectContaining({ code: 'BUNDLE_HEADER' }),
    );
  });
});

describe('padding', () => {
  it.each([
    [0, 0],
    [1, 511],
    [511, 1],
    [512, 0],
    [513, 511],
    [eightGiB + 1, 511],
  ])('after %i bytes is %i bytes', (size, padding) => {
    expect(paddingAfter(size)).toBe(padding);
  });

  it('always completes the block, up to the largest size', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (size) => {
        const padding = paddingAfter(size);
        expect(padding).toBeGreaterThanOrEqual(0);
        expect(padding).toBeLessThan(blockSize);
        expect((BigInt(size) + BigInt(padding)) % 512n).toBe(0n);
      }),
    );
  });
});

describe('the end of an archive', () => {
  it('ends an archive with two blocks of zeros', () => {
    expect(endOfArchive).toEqual(new Uint8Array(1024));
  });
});
