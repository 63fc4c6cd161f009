import semver from 'semver';
import { parseJson } from '#contract/text/json.ts';
import type { Release } from '../bundle/release.ts';
import { LandfallError } from '../errors.ts';
import { areEqual } from '../text/bytes.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { rotationSchema, type TrustAnchor, type TrustRotation } from './anchor.ts';
import { readPublicKey } from './keys.ts';
import { signerOf } from './signature.ts';
import type { Signer } from './trust.ts';

/**
 * Maximum size of a rotation document in bytes: 73 keys of 124 characters, and the other fields.
 */
const maxRotationBytes = 16 * 1024;

/**
 * Applies one rotation of keys: the next number, signed by the current recovery key of the anchor.
 * A server that missed several applies them in order, each with the keys of the previous one (like
 * the root metadata of The Update Framework, specification 5.3.4).
 * @param bytes the document as downloaded
 * @param signature ECDSA P-256 over SHA-256, DER
 * @returns the new anchor; removed keys become revoked, the floor never decreases
 * @throws LandfallError BUNDLE_UNTRUSTED, BUNDLE_KEYS
 */
export function applyRotation(
  anchor: TrustAnchor,
  product: string,
  bytes: Uint8Array,
  signature: Uint8Array,
): TrustAnchor {
  const recovery = anchor.recovery === null ? [] : [readPublicKey(anchor.recovery)];
  if (bytes.byteLength > maxRotationBytes || !signerOf(bytes, signature, recovery)) {
    throw new LandfallError(
      'BUNDLE_UNTRUSTED',
      'the recovery key did not sign this rotation of keys',
      {
        hint,
      },
    );
  }
  const rotation = decodeRotation(bytes);
  if (rotation.product !== product) {
    throw rejected(`the rotation is for ${rotation.product}, not ${product}`);
  }
  if (rotation.trust !== anchor.trust + 1) {
    throw rejected(`rotation ${rotation.trust} does not follow ${anchor.trust}`);
  }
  const { release, recovery: next, revoked, floor, trust } = rotation;
  const revived = [...release, ...(next ? [next] : [])].find((key) => anchor.revoked.includes(key));
  if (revived) throw rejected('the rotation trusts a key that was revoked');
  return withKeys({ ...anchor, trust, floor: higher(anchor.floor, floor) }, release, next, revoked);
}

/**
 * Returns the anchor after a verified release; a release signed by the recovery key replaces the
 * keys. Call it before the installation and keep the result after a rollback, so that a rollback
 * does not restore a stolen key.
 * @throws LandfallError BUNDLE_KEYS when the release trusts a revoked key
 */
export function anchorAfter(anchor: TrustAnchor, { keys }: Release, signer: Signer): TrustAnchor {
  const announced = [...keys.release, ...(keys.recovery ? [keys.recovery] : [])];
  if (announced.some((key) => anchor.revoked.includes(key))) {
    throw rejected('the release trusts a key that was revoked');
  }
  if (signer.role !== 'recovery') return anchor;
  return withKeys(anchor, keys.release, keys.recovery, []);
}

/** Encodes a rotation document. */
export function encodeRotation(rotation: TrustRotation): Uint8Array {
  return encodeCanonicalJson(rotation);
}

const hint = 'Do not install the release. Compare its key IDs with the published ones.';

function rejected(found: string): LandfallError {
  return new LandfallError('BUNDLE_KEYS', found, { hint });
}

/** Maximum number of revoked keys in trust.json. */
const maxRevoked = 64;

function withKeys(
  anchor: TrustAnchor,
  release: readonly string[],
  recovery: string | null,
  revoked: readonly string[],
): TrustAnchor {
  const trusted = new Set([...release, ...(recovery ? [recovery] : [])]);
  const before = [...anchor.release, ...(anchor.recovery ? [anchor.recovery] : [])];
  const dropped = [...anchor.revoked, ...revoked, ...before].filter((key) => !trusted.has(key));
  const all = [...new Set(dropped)];
  if (all.length > maxRevoked) throw rejected(`more than ${maxRevoked} keys would be revoked`);
  return { ...anchor, release: [...release], recovery, revoked: all };
}

function higher(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return semver.gt(other, one) ? other : one;
}

function decodeRotation(bytes: Uint8Array): TrustRotation {
  const parsed = rotationSchema.safeParse(parseJson(bytes));
  if (parsed.success && areEqual(encodeRotation(parsed.data), bytes)) return parsed.data;
  throw rejected('the rotation of keys is not a valid canonical document');
}
