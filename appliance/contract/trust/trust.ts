import semver from 'semver';
import { refusal } from '../bundle/refusals.ts';
import type { Release } from '../bundle/release.ts';
import type { Architecture } from '../bundle/release-name.ts';
import { LandfallError } from '../errors.ts';
import { sha256Hex } from './digest.ts';
import { formatKeyChange, keyChangeOf } from './key-change.ts';
import { formatKeyId, type PublicKey, type TrustedKeys } from './keys.ts';
import { maxSignatureBytes, signerOf } from './signature.ts';

/** What a verifier wants of a release, beyond being whole. What is absent is not asked for. */
export interface TrustPolicy {
  readonly keys: TrustedKeys;
  /**
   * Take a release key's word for the keys it announces: only where a person has compared their ids.
   * A server never does, or a stolen release key would own it for good.
   */
  readonly allowNewKeys?: boolean | undefined;
  /** SHA-256 of release.json, 64 hex digits, from the user-data. */
  readonly pinned?: string | undefined;
  readonly product?: string | undefined;
  readonly arch?: Architecture | undefined;
  /** The version that is installed now. */
  readonly installed?: string | undefined;
  /** The time to judge expiry by; absent when the clock cannot be relied on. */
  readonly now?: Date | undefined;
}

export interface Signer {
  readonly key: PublicKey;
  readonly role: 'release' | 'recovery';
}

/**
 * Who signed these bytes, judged before anybody parses them.
 * @throws LandfallError BUNDLE_PINNED, BUNDLE_SIGNATURE, BUNDLE_UNTRUSTED
 */
export function authenticate(
  manifest: Uint8Array,
  signature: Uint8Array,
  policy: TrustPolicy,
): Signer {
  if (policy.pinned !== undefined && sha256Hex(manifest) !== policy.pinned) {
    throw refusal('pinned', 'release.json is not the one that was pinned');
  }
  if (signature.length === 0 || signature.length > maxSignatureBytes) {
    throw refusal('short-signature', `the signature is ${signature.length} bytes long`);
  }
  const { release, recovery } = policy.keys;
  const key = signerOf(manifest, signature, release);
  if (key) return { key, role: 'release' };
  if (recovery && signerOf(manifest, signature, [recovery]))
    return { key: recovery, role: 'recovery' };
  const ids = [...release, ...(recovery ? [recovery] : [])].map(({ id }) => formatKeyId(id));
  throw refusal(
    'trusted',
    `no trusted key signed release.json (trusted: ${ids.join('; ') || 'none'})`,
  );
}

/**
 * Judges an authentic release: its keys, its target, its age. Pure; says nothing about the files.
 * @throws LandfallError BUNDLE_KEYS, BUNDLE_WRONG_TARGET, BUNDLE_ROLLBACK, BUNDLE_EXPIRED; USAGE when
 * the policy's own version is none
 */
export function judgeRelease(release: Release, signer: Signer, policy: TrustPolicy): void {
  if (signer.role !== 'recovery' && !policy.allowNewKeys) refuseNewKeys(release, policy.keys);
  if (policy.product !== undefined && release.product !== policy.product) {
    throw refusal('target', `this is ${release.product}, not ${policy.product}`);
  }
  if (policy.arch !== undefined && release.arch !== policy.arch) {
    throw refusal('target', `the release is for ${release.arch}, this machine is ${policy.arch}`);
  }
  if (policy.installed !== undefined) judgeVersion(release, policy.installed);
  // Written so that an invalid date, of which nothing is true, is refused.
  if (policy.now !== undefined && !(policy.now.getTime() < Date.parse(release.expires))) {
    throw refusal('fresh', `the release expired on ${release.expires}`);
  }
}

function judgeVersion(release: Release, installed: string): void {
  if (semver.valid(installed) === null) {
    throw new LandfallError(
      'USAGE',
      `the installed release is "${installed}", which is no version`,
      {
        hint: 'Give a version such as 1.2.0.',
      },
    );
  }
  if (semver.lt(release.version, installed)) {
    throw refusal('no-rollback', `the release is ${release.version}, installed is ${installed}`);
  }
  if (release.updatesFrom !== null && semver.lt(installed, release.updatesFrom)) {
    throw refusal(
      'updates-from',
      `${release.version} updates from ${release.updatesFrom}, installed is ${installed}`,
    );
  }
}

/** @throws LandfallError BUNDLE_KEYS with the ids of both, for people to compare */
function refuseNewKeys(release: Release, trusted: TrustedKeys): void {
  const change = keyChangeOf(release, trusted);
  if (!change) return;
  throw refusal(
    'recovery-changes-keys',
    'the release announces other keys than the trusted ones, and the recovery key did not sign it',
    { problems: [{ message: formatKeyChange(change) }] },
  );
}
