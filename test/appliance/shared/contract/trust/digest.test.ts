import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf, hexOf, isDigest, sha256Hex } from '#contract/trust/digest.ts';

// FIPS 180-4, the examples for no bytes and for "abc".
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('a SHA-256', () => {
  it('matches the examples of the standard', () => {
    expect(sha256Hex('')).toBe(empty);
    expect(sha256Hex('abc')).toBe(abc);
    expect(sha256Hex(Buffer.from('abc'))).toBe(abc);
  });

  it('formats a SHA-256 as a digest with an algorithm prefix', () => {
    expect(digestOf('abc')).toBe(`sha256:${abc}`);
    expect(hexOf(digestOf('abc'))).toBe(abc);
  });
});

describe('the format of a digest', () => {
  it('accepts every digest that digestOf returns', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(isDigest(digestOf(bytes))).toBe(true);
      }),
    );
  });

  it.each([
    ['empty', ''],
    ['no algorithm', abc],
    ['another algorithm', `sha512:${abc}${abc}`],
    ['the algorithm in capitals', `SHA256:${abc}`],
    ['capitals', `sha256:${abc.toUpperCase()}`],
    ['one digit less', `sha256:${abc.slice(1)}`],
    ['one digit more', `sha256:${abc}0`],
    ['an invalid digit', `sha256:${abc.slice(1)}g`],
    ['a line break at the end', `sha256:${abc}\n`],
    ['a leading space', ` sha256:${abc}`],
    ['a trailing path', `sha256:${abc}/..`],
  ])('cannot be: %s', (_, text) => {
    expect(isDigest(text)).toBe(false);
  });
});
