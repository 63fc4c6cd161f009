import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as browserPoint from '../../../../appliance/shared/platform/browser/p256-point.ts';
import * as browserVerify from '../../../../appliance/shared/platform/browser/verify-p256.ts';
import * as nodePoint from '../../../../appliance/shared/platform/node/p256-point.ts';
import * as nodeVerify from '../../../../appliance/shared/platform/node/verify-p256.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { hasLowS, otherForm } from '../../../simulator/keys.ts';

const sides = [
  ['Node', { ...nodePoint, ...nodeVerify }],
  ['browsers', { ...browserPoint, ...browserVerify }],
] as const;

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const spki = pair.publicKey.export({ format: 'der', type: 'spki' });
const message = Buffer.from('release');
const signed = (data: Uint8Array) =>
  sign('sha256', data, { key: pair.privateKey, dsaEncoding: 'der' });
const signature = signed(message);

/** The integers r and s of a signature. */
function numbersOf(der: Buffer): [bigint, bigint] {
  const raw = der.subarray(4, 4 + der.readUInt8(3));
  const rest = der.subarray(4 + raw.length + 2);
  return [BigInt(`0x${raw.toString('hex')}`), BigInt(`0x${rest.toString('hex')}`)];
}

const [r, s] = numbersOf(signature);

/** Returns an INTEGER with these hex digits, which may violate DER. */
function integer(content: string): Buffer {
  const bytes = Buffer.from(content, 'hex');
  return Buffer.concat([Buffer.of(0x02, bytes.length), bytes]);
}

function digits(value: bigint): string {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return /^[89a-f]/.test(even) ? `00${even}` : even;
}

function sequence(...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}

const [rPart, sPart] = [integer(digits(r)), integer(digits(s))];
const body = signature.subarray(2);

const changedAt = (bytes: Buffer, at: number, to: number) =>
  Buffer.concat([bytes.subarray(0, at), Buffer.of(to), bytes.subarray(at + 1)]);

describe.each(sides)('a P-256 signature, verified by %s', (_, { verifyP256 }) => {
  it('accepts a P-256 signature with a low or high s, like OpenSSL', () => {
    const other = otherForm(signature);
    expect(hasLowS(other)).toBe(!hasLowS(signature));
    expect(verifyP256(spki, signature, message)).toBe(true);
    expect(verifyP256(spki, other, message)).toBe(true);
  });

  it('builds a P-256 signature correctly with the helpers of this test', () => {
    expect(sequence(rPart, sPart)).toEqual(signature);
  });

  it.each([
    ['no bytes', Buffer.alloc(0)],
    ['a trailing byte', Buffer.concat([signature, Buffer.of(0)])],
    ['a trailing byte inside the sequence', sequence(rPart, sPart, Buffer.of(0))],
    ['a third number', sequence(rPart, sPart, integer('01'))],
    ['one number', sequence(rPart)],
    ['a missing last byte', signature.subarray(0, -1)],
    ['a sequence length that is too small', changedAt(signature, 1, body.length - 1)],
    ['a sequence length that is too large', changedAt(signature, 1, body.length + 1)],
    ['a length in two bytes', Buffer.concat([Buffer.of(0x30, 0x81, body.length), body])],
    ['an indefinite length', Buffer.concat([Buffer.of(0x30, 0x80), body, Buffer.of(0, 0)])],
    ['a set instead of a sequence', changedAt(signature, 0, 0x31)],
    ['an octet string instead of r', changedAt(signature, 2, 0x04)],
    ['an extra leading zero in r', sequence(integer(`00${digits(r)}`), sPart)],
    ['an extra leading zero in s', sequence(rPart, integer(`00${digits(s)}`))],
    ['a negative r', sequence(integer('ff'), sPart)],
    ['a negative s', sequence(rPart, integer('80'))],
    ['an empty r', sequence(integer(''), sPart)],
    ['r = 0', sequence(integer('00'), sPart)],
    ['s = 0', sequence(rPart, integer('00'))],
    ['r = s = 0', sequence(integer('00'), integer('00'))],
    ['r = the order', sequence(integer(digits(order)), sPart)],
    ['s = the order', sequence(rPart, integer(digits(order)))],
    ['r + the order', sequence(integer(digits(r + order)), sPart)],
    ['s + the order', sequence(rPart, integer(digits(s + order)))],
    ['s of 256 bytes', sequence(rPart, integer('01'.repeat(80)))],
    ['r and s exchanged', sequence(sPart, rPart)],
    [
      'r and s without DER (IEEE P1363)',
      sign('sha256', message, { key: pair.privateKey, dsaEncoding: 'ieee-p1363' }),
    ],
  ])('rejects a P-256 signature: %s', (_name, bytes) => {
    expect(verifyP256(spki, bytes, message)).toBe(false);
  });

  it.each([
    ['no bytes', Buffer.alloc(0)],
    ['a missing byte', spki.subarray(0, -1)],
    ['an extra byte', Buffer.concat([spki, Buffer.of(0)])],
    ['a point that is not on the curve', changedAt(spki, 90, (spki[90] ?? 0) ^ 1)],
    ['coordinates of zero', Buffer.concat([spki.subarray(0, 27), Buffer.alloc(64)])],
    ['a coordinate beyond the field', Buffer.concat([spki.subarray(0, 27), Buffer.alloc(64, 255)])],
    ['the point in hybrid form', changedAt(spki, 26, 6 + ((spki[90] ?? 0) % 2))],
    ['another curve', changedAt(spki, 22, 0x06)],
    [
      'a key of P-384',
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({
        format: 'der',
        type: 'spki',
      }),
    ],
  ])('rejects a P-256 signature with a key of another form: %s', (_name, key) => {
    expect(verifyP256(key, signature, message)).toBe(false);
  });
});

describe('Node and browsers', () => {
  const [[, node], [, browser]] = sides;
  const valid = fc.uint8Array({ maxLength: 200 }).map((data) => ({ data, bytes: signed(data) }));

  it('accept the same valid and changed signatures', () => {
    const change = fc.record({
      at: fc.nat(80),
      to: fc.nat(255),
      extra: fc.uint8Array({ maxLength: 2 }),
    });
    fc.assert(
      fc.property(valid, change, ({ data, bytes }, { at, to, extra }) => {
        const changed = Buffer.concat([changedAt(bytes, at % bytes.length, to), extra]);
        expect(browser.verifyP256(spki, bytes, data)).toBe(true);
        expect(browser.verifyP256(spki, otherForm(bytes), data)).toBe(true);
        expect(browser.verifyP256(spki, changed, data)).toBe(node.verifyP256(spki, changed, data));
        expect(browser.verifyP256(spki, bytes, extra)).toBe(node.verifyP256(spki, bytes, extra));
      }),
      { numRuns: fuzzRuns(60) },
    );
  });

  it('agree on random DER integers', () => {
    const number = fc.oneof(fc.bigInt(0n, order + 2n), fc.constantFrom(0n, 1n, order - 1n, order));
    fc.assert(
      fc.property(number, number, (one, other) => {
        const bytes = sequence(integer(digits(one)), integer(digits(other)));
        expect(browser.verifyP256(spki, bytes, message)).toBe(
          node.verifyP256(spki, bytes, message),
        );
      }),
      { numRuns: fuzzRuns(60) },
    );
  });

  it('agree on points, in every encoding and with any byte changed', () => {
    const point = fc.constantFrom(...Array.from({ length: 8 }, () => newPoint()));
    const form = fc.constantFrom('compressed', 'uncompressed', 'hybrid');
    const change = fc.option(fc.record({ at: fc.nat(64), to: fc.nat(255) }));
    let accepted = 0;
    fc.assert(
      fc.property(point, form, change, (forms, name, edit) => {
        const encoded = forms[name as keyof typeof forms];
        const bytes = edit ? changedAt(encoded, edit.at % encoded.length, edit.to) : encoded;
        const expected = node.readPoint(bytes);
        accepted += expected ? 1 : 0;
        expect(hex(browser.readPoint(bytes))).toBe(hex(expected));
        if (!edit) expect(hex(expected)).toBe(hex(forms.uncompressed));
      }),
      { numRuns: fuzzRuns(200) },
    );
    // About 60 of 200; far below, so that chance does not decide.
    expect(accepted).toBeGreaterThan(fuzzRuns(20));
  });

  it.each([
    ['no bytes', ''],
    ['the point at infinity', '00'],
    ['an unknown form', `05${'00'.repeat(64)}`],
    ['an extra byte', `${spki.subarray(26).toString('hex')}00`],
    ['a missing byte', spki.subarray(26, -1).toString('hex')],
    ['an x beyond the field', `02${'ff'.repeat(32)}`],
  ])('reject as a point: %s', (_, encoded) => {
    for (const [, { readPoint }] of sides) {
      expect(readPoint(Buffer.from(encoded, 'hex'))).toBeUndefined();
    }
  });
});

function newPoint() {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const uncompressed = publicKey.export({ format: 'der', type: 'spki' }).subarray(26);
  const odd = (uncompressed[64] ?? 0) % 2;
  return {
    uncompressed,
    compressed: Buffer.concat([Buffer.of(2 + odd), uncompressed.subarray(1, 33)]),
    hybrid: changedAt(uncompressed, 0, 6 + odd),
  };
}

function hex(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString('hex');
}
