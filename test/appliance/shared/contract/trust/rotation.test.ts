import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeAnchor,
  encodeAnchor,
  firstAnchor,
  type TrustAnchor,
  type TrustRotation,
} from '#contract/trust/anchor.ts';
import { anchorAfter, applyRotation, encodeRotation } from '#contract/trust/rotation.ts';
import { makeRelease, tinyFiles } from '../../../../simulator/bundle.ts';
import {
  type KeyPair,
  makeKeyPair,
  recoveryKey,
  releaseKey,
  secondKey,
  signDer,
  strangerKey,
} from '../../../../simulator/keys.ts';

const nextRecovery = makeKeyPair();
const product = 'landfall';
const anchor = firstAnchor({
  release: [releaseKey.public, secondKey.public],
  recovery: recoveryKey.public,
});

const rotation: TrustRotation = {
  type: 'landfall-trust',
  schema: 1,
  product,
  trust: 1,
  created: '2026-01-01T00:00:00Z',
  release: [strangerKey.public.spki],
  recovery: nextRecovery.public.spki,
  revoked: [],
  floor: '1.2.0',
};

function rotate(
  change: Partial<TrustRotation> = {},
  signer: KeyPair = recoveryKey,
  from: TrustAnchor = anchor,
): TrustAnchor {
  const bytes = encodeRotation({ ...rotation, ...change });
  return applyRotation(from, product, bytes, signDer(bytes, signer));
}

const rejected = (code: string) => expect.objectContaining({ code });

describe('a key rotation', () => {
  it('replaces the keys, revokes dropped ones and raises the minimum version', () => {
    const rotated = rotate();
    expect(rotated).toEqual({
      schema: 1,
      release: [strangerKey.public.spki],
      recovery: nextRecovery.public.spki,
      revoked: [releaseKey, secondKey, recoveryKey].map((pair) => pair.public.spki),
      floor: '1.2.0',
      channelSerial: 0,
      trust: 1,
    });
    expect(decodeAnchor(encodeAnchor(rotated))).toEqual(rotated);
  });

  it('may be followed by another one, signed by the new recovery key', () => {
    const third = makeKeyPair();
    const second = rotate({ trust: 2, release: [third.public.spki] }, nextRecovery, rotate());
    expect(second.release).toEqual([third.public.spki]);
    expect(second.revoked).toContain(strangerKey.public.spki);
    expect(() => rotate({ trust: 2 }, recoveryKey, rotate())).toThrow(rejected('TRUST_REFUSED'));
  });

  it.each([
    ['a release key', releaseKey],
    ['an unknown key', strangerKey],
    ['the new recovery key', nextRecovery],
  ])('rejects a key rotation if %s signed it', (_case, signer) => {
    expect(() => rotate({}, signer)).toThrow(rejected('TRUST_REFUSED'));
  });

  it('rejects a key rotation on a server without a recovery key', () => {
    const alone = { ...anchor, recovery: null };
    expect(() => rotate({}, recoveryKey, alone)).toThrow(rejected('TRUST_REFUSED'));
  });

  it.each<[string, Partial<TrustRotation>]>([
    ['skips a number', { trust: 2 }],
    ['is for another product', { product: 'other' }],
    ['trusts and revokes a key', { revoked: [strangerKey.public.spki] }],
    ['has no release key', { release: [] }],
  ])('rejects a key rotation when it %s', (_case, change) => {
    expect(() => rotate(change)).toThrow(rejected('TRUST_REFUSED'));
  });

  it('rejects a key rotation the second time', () => {
    expect(() => rotate({}, nextRecovery, rotate())).toThrow(rejected('TRUST_REFUSED'));
  });

  it('rejects a key rotation that restores a revoked key', () => {
    const change = { trust: 2, release: [releaseKey.public.spki] };
    expect(() => rotate(change, nextRecovery, rotate())).toThrow(rejected('TRUST_REFUSED'));
  });

  it.each(['1.2.0', null])('never lowers the minimum version: %s', (floor) => {
    expect(rotate({ floor }, recoveryKey, { ...anchor, floor: '2.0.0' }).floor).toBe('2.0.0');
  });

  it('rejects a key rotation in any other encoding, even if the recovery key signed it', () => {
    const bytes = Buffer.from(JSON.stringify(rotation));
    const attempt = () => applyRotation(anchor, product, bytes, signDer(bytes, recoveryKey));
    expect(attempt).toThrow(rejected('TRUST_REFUSED'));
  });

  it('rejects a key rotation if more keys would be revoked than trust.json can store', () => {
    const revoked = Array.from({ length: 62 }, () => makeKeyPair().public.spki);
    expect(() => rotate({ revoked })).toThrow(rejected('TRUST_REFUSED'));
    expect(rotate({ revoked: revoked.slice(1) }).revoked).toHaveLength(64);
  });

  it('rejects any bytes as a key rotation with a LandfallError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, signed) => {
        const signature = signed ? signDer(bytes, recoveryKey) : bytes.subarray(0, 72);
        expect(() => applyRotation(anchor, product, bytes, signature)).toThrow(
          rejected('TRUST_REFUSED'),
        );
      }),
    );
  });
});

describe('the trust anchor after a verified release', () => {
  const release = (keys: readonly KeyPair[]) => ({
    ...makeRelease(tinyFiles),
    keys: { release: keys.map((pair) => pair.public.spki), recovery: recoveryKey.public.spki },
  });
  const byRecovery = { key: recoveryKey.public, role: 'recovery' } as const;

  it('keeps the trust anchor unchanged if a release key signed the release', () => {
    const signer = { key: releaseKey.public, role: 'release' } as const;
    expect(anchorAfter(anchor, release([releaseKey, secondKey]), signer)).toEqual(anchor);
  });

  it('trusts the keys of a release that the recovery key signed, and revokes dropped ones', () => {
    const after = anchorAfter(anchor, release([strangerKey, secondKey]), byRecovery);
    expect(after.release).toEqual([strangerKey.public.spki, secondKey.public.spki]);
    expect(after.revoked).toEqual([releaseKey.public.spki]);
  });

  it('rejects a release that trusts a revoked key, even one signed by the recovery key', () => {
    const revoked = [releaseKey.public.spki];
    const revoking = { ...anchor, release: [secondKey.public.spki], revoked };
    const attempt = () => anchorAfter(revoking, release([releaseKey]), byRecovery);
    expect(attempt).toThrow(rejected('BUNDLE_KEYS'));
  });
});
