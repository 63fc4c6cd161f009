import { createPublicKey, createVerify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxSignatureBytes, publicKeyPem, signerOf } from '#contract/trust/keys.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';
import {
  hasLowS,
  otherForm,
  recoveryKey,
  releaseKey,
  secondKey,
  signDer,
  signDerOfLength,
  signP1363,
  strangerKey,
} from '../../../../simulator/keys.ts';

const message = Buffer.from('release');
const keys = [releaseKey.public, secondKey.public];

describe('signerOf', () => {
  it.each([
    ['the first key', releaseKey],
    ['a later key', secondKey],
  ])('returns the signer: %s', (_, pair) => {
    expect(signerOf(message, signDer(message, pair), keys)).toBe(pair.public);
  });

  it.each([strangerKey, recoveryKey])('returns no signer if the key is not in the list', (pair) => {
    expect(signerOf(message, signDer(message, pair), keys)).toBeUndefined();
  });

  it('returns no signer without keys', () => {
    expect(signerOf(message, signDer(message, releaseKey), [])).toBeUndefined();
  });

  it('accepts a signature of any DER length', () => {
    for (const length of [70, 71, 72]) {
      const signature = signDerOfLength(message, releaseKey, length);
      expect(signerOf(message, signature, keys)).toBe(releaseKey.public);
    }
  });

  it('accepts a low and a high s', () => {
    const signature = signDer(message, releaseKey);
    const other = otherForm(signature);
    expect(hasLowS(other)).toBe(!hasLowS(signature));
    expect(signerOf(message, other, keys)).toBe(releaseKey.public);
  });

  it('returns no signer for a signature in the P1363 form, which cosign accepts', () => {
    expect(signerOf(message, signP1363(message, releaseKey), keys)).toBeUndefined();
  });

  it('returns no signer for other bytes', () => {
    const signature = signDer(message, releaseKey);
    expect(signerOf(Buffer.from('releasf'), signature, keys)).toBeUndefined();
    expect(signerOf(Buffer.alloc(0), signature, keys)).toBeUndefined();
  });

  it('returns no signer for trailing data after 72 bytes, which openssl ignores', () => {
    const signature = signDerOfLength(message, releaseKey, maxSignatureBytes);
    const longer = Buffer.concat([signature, Buffer.from('\n')]);
    expect(signerOf(message, longer, keys)).toBeUndefined();
  });

  it('returns no signer for any changed signature, and never throws', () => {
    const signature = signDer(message, releaseKey);
    const changed = fc
      .tuple(fc.nat(signature.length - 1), fc.integer({ min: 1, max: 255 }))
      .map(([at, xor]) => {
        const other = Buffer.from(signature);
        other.writeUInt8(other.readUInt8(at) ^ xor, at);
        return other;
      });
    fc.assert(
      fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 100 })), (bytes) => {
        expect(signerOf(message, bytes, keys)).toBeUndefined();
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('agrees with another function of the library', () => {
    const pairs = fc.constantFrom(releaseKey, secondKey, strangerKey);
    fc.assert(
      fc.property(fc.uint8Array(), pairs, (bytes, pair) => {
        const signature = signDer(bytes, pair);
        const found = keys.find((key) =>
          createVerify('sha256')
            .update(bytes)
            .verify(createPublicKey(publicKeyPem(key)), signature),
        );
        expect(signerOf(bytes, signature, keys)).toBe(found);
        expect(found).toBe(pair === strangerKey ? undefined : pair.public);
      }),
      { numRuns: fuzzRuns(100) },
    );
  });
});
