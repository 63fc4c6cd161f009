import semver from 'semver';
import type { Release } from '../bundle/release.ts';
import { LandfallError } from '../errors.ts';
import { areEqual } from '../text/bytes.ts';
import { encodeCanonicalJson, readJson } from '../text/json.ts';
import { rotationSchema, type TrustAnchor, type TrustRotation } from './anchor.ts';
import { formatKeyChange, keyChangeOf } from './key-change.ts';
import { readPublicKey, signerOf, trustedKeysOf } from './keys.ts';
import type { Signer } from './trust.ts';

/**
 * Maximum size of a rotation document in bytes: 73 keys of 124 characters, and the other fields.
 */
export const maxRotationBytes = 16 * 1024;

/**
 * Applies one rotation of keys: the next number, signed by the current recovery key of the anchor.
 * A server that missed several applies them in order, each with the keys of the previous one (like
 * the root metadata of The Update Framework, specification 5.3.4).
 * @param bytes the document as downloaded
 * @param signature ECDSA P-256 over SHA-256, DER
 * @returns the new anchor; removed keys become revoked, the floor never decreases, and the channel serial
 * starts at 0: a stolen key may have signed the highest one (The Update Framework, 5.3.11)
 * @throws LandfallError TRUST_REFUSED with both lists of key IDs
 */
export function applyRotation(
  anchor: TrustAnchor,
  product: string,
  bytes: Uint8Array,
  signature: Uint8Array,
): TrustAnchor {
  const rotation = bytes.byteLength > maxRotationBytes ? undefined : decodeRotation(bytes);
  const refuse = (found: string) => refusedRotation(found, anchor, rotation);
  const keys = anchor.recovery === null ? [] : [readPublicKey(anchor.recovery)];
  if (!signerOf(bytes, signature, keys)) {
    throw refuse('the recovery key of this server did not sign the rotation of keys');
  }
  if (!rotation) throw refuse('the rotation of keys is not a valid canonical document');
  if (rotation.product !== product) {
    throw refuse(`the rotation of keys is for ${rotation.product}, not ${product}`);
  }
  if (rotation.trust !== anchor.trust + 1) {
    throw refuse(`rotation ${rotation.trust} of keys does not follow ${anchor.trust}`);
  }
  const { release, recovery, revoked, floor, trust } = rotation;
  if (namesRevoked(rotation, anchor)) throw refuse('the rotation trusts a key that was revoked');
  const next = { ...anchor, trust, floor: higher(anchor.floor, floor) };
  return withKeys(next, release, recovery, revoked, refuse);
}

/** Both lists let the administrator compare the keys with the published ones. */
function refusedRotation(
  found: string,
  anchor: TrustAnchor,
  rotation: TrustRotation | undefined,
): LandfallError {
  const keys = { trusted: trustedKeysOf(anchor), announced: rotation && trustedKeysOf(rotation) };
  return new LandfallError('TRUST_REFUSED', found, {
    hint: 'Compare the key IDs with the published ones, and install nothing until you know which list is right.',
    problems: [{ message: formatKeyChange(keys) }],
  });
}

/** Returns whether a document trusts a key that the anchor has revoked. */
function namesRevoked(
  { release, recovery }: Pick<TrustRotation, 'release' | 'recovery'>,
  { revoked }: TrustAnchor,
): boolean {
  return [...release, ...(recovery ? [recovery] : [])].some((key) => revoked.includes(key));
}

/**
 * Returns the anchor after a verified release; a release signed by the recovery key replaces the
 * keys. Call it before the installation and keep the result after a rollback, so that a rollback
 * does not restore a stolen key.
 * @throws LandfallError BUNDLE_KEYS when the release trusts a revoked key, or one signed it
 */
export function anchorAfter(anchor: TrustAnchor, { keys }: Release, signer: Signer): TrustAnchor {
  if (namesRevoked(keys, anchor)) throw refusedRelease('the release trusts a key that was revoked');
  if (anchor.revoked.includes(signer.key.spki))
    throw refusedRelease('a revoked key signed the release');
  if (signer.role !== 'recovery') return anchor;
  return withKeys(anchor, keys.release, keys.recovery, [], refusedRelease);
}

/**
 * Refuses a release below the minimum version of the keys, also one that was installed before: the
 * administrator goes back no further than the maintainers allow.
 * @throws LandfallError BUNDLE_ROLLBACK
 */
export function refuseBelowFloor({ floor }: TrustAnchor, version: string): void {
  if (floor === null || semver.gte(version, floor)) return;
  throw new LandfallError('BUNDLE_ROLLBACK', `the keys allow no release older than ${floor}`, {
    hint: `Use ${floor} or a newer release, not ${version}.`,
  });
}

/**
 * Returns the anchor of a first boot, whose user-data may be older than the release it pins: the
 * keys of the release replace those of the user-data.
 */
export function anchorOfFirstRelease(anchor: TrustAnchor, release: Release): TrustAnchor {
  if (!keyChangeOf(release, trustedKeysOf(anchor))) return anchor;
  const { keys } = release;
  return withKeys(anchor, keys.release, keys.recovery, [], refusedRelease);
}

/** Encodes a rotation document. */
export function encodeRotation(rotation: TrustRotation): Uint8Array {
  return encodeCanonicalJson(rotation);
}

function refusedRelease(found: string): LandfallError {
  return new LandfallError('BUNDLE_KEYS', found, {
    hint: 'Do not install the release. Compare its key IDs with the published ones.',
  });
}

/** Maximum number of revoked keys in trust.json. */
const maxRevoked = 64;

function withKeys(
  anchor: TrustAnchor,
  release: readonly string[],
  recovery: string | null,
  revoked: readonly string[],
  refuse: (found: string) => LandfallError,
): TrustAnchor {
  const trusted = new Set([...release, ...(recovery ? [recovery] : [])]);
  const before = [...anchor.release, ...(anchor.recovery ? [anchor.recovery] : [])];
  const dropped = [...anchor.revoked, ...revoked, ...before].filter((key) => !trusted.has(key));
  const all = [...new Set(dropped)];
  if (all.length > maxRevoked) throw refuse(`more than ${maxRevoked} keys would be revoked`);
  return { ...anchor, release: [...release], recovery, revoked: all, channelSerial: 0 };
}

function higher(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return semver.gt(other, one) ? other : one;
}

/** Parses a rotation document; undefined for anything but a canonical one. */
export function decodeRotation(bytes: Uint8Array): TrustRotation | undefined {
  const rotation = readJson(rotationSchema, bytes);
  return rotation && areEqual(encodeRotation(rotation), bytes) ? rotation : undefined;
}
