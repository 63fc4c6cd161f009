import semver from 'semver';
import { refusal } from '../bundle/refusals.ts';
import type { Release } from '../bundle/release.ts';
import type { Architecture } from '../bundle/release-name.ts';
import { LandfallError } from '../errors.ts';
import { sha256Hex } from './digest.ts';
import { formatKeyChange, keyChangeOf } from './key-change.ts';
import {
  formatKeyId,
  maxSignatureBytes,
  type PublicKey,
  signerOf,
  type TrustedKeys,
} from './keys.ts';

/** The requirements of a verifier for a release. Absent fields are not checked. */
export interface TrustPolicy {
  readonly keys: TrustedKeys;
  /**
   * Accepts new keys that a release key signed. Only after the user has compared the key IDs. A
   * server never sets it, otherwise a stolen release key could take it over permanently.
   */
  readonly allowNewKeys?: boolean | undefined;
  /** SHA-256 of release.json, 64 hex digits, from the user-data. */
  readonly pinned?: string | undefined;
  readonly product?: string | undefined;
  readonly arch?: Architecture | undefined;
  /** The installed version. */
  readonly installed?: string | undefined;
  /** The current time, for expiry; absent if the clock is unreliable. */
  readonly now?: Date | undefined;
}

export interface Signer {
  readonly key: PublicKey;
  readonly role: 'release' | 'recovery';
}

/**
 * Verifies the signature before the bytes are parsed and returns the signer.
 * @throws LandfallError BUNDLE_PINNED, BUNDLE_SIGNATURE, BUNDLE_UNTRUSTED
 */
export function authenticate(
  manifest: Uint8Array,
  signature: Uint8Array,
  policy: TrustPolicy,
): Signer {
  if (policy.pinned !== undefined && sha256Hex(manifest) !== policy.pinned) {
    throw refusal('pinned', 'release.json does not match the pinned digest');
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
 * Checks an authentic release: keys, target, version and expiry. Does not check its files.
 * @throws LandfallError BUNDLE_KEYS, BUNDLE_WRONG_TARGET, BUNDLE_ROLLBACK, BUNDLE_EXPIRED; USAGE
 * for
 * an invalid installed version in the policy
 */
export function checkRelease(release: Release, signer: Signer, policy: TrustPolicy): void {
  if (signer.role !== 'recovery' && !policy.allowNewKeys) refuseNewKeys(release, policy.keys);
  if (policy.product !== undefined && release.product !== policy.product) {
    throw refusal('target', `the release is of ${release.product}, not ${policy.product}`);
  }
  if (policy.arch !== undefined && release.arch !== policy.arch) {
    throw refusal(
      'target',
      `the release is for ${release.arch}, but this machine is ${policy.arch}`,
    );
  }
  if (policy.installed !== undefined) checkVersion(release, policy.installed);
  // The negation also rejects an invalid date, for which every comparison is false.
  if (policy.now !== undefined && !(policy.now.getTime() < Date.parse(release.expires))) {
    throw refusal('fresh', `the release expired on ${release.expires}`);
  }
}

function checkVersion(release: Release, installed: string): void {
  if (semver.valid(installed) === null) {
    throw new LandfallError('USAGE', `invalid installed version "${installed}"`, {
      hint: 'Use a version such as 1.2.0.',
    });
  }
  if (semver.lt(release.version, installed)) {
    throw refusal(
      'no-rollback',
      `the release ${release.version} is older than the installed ${installed}`,
    );
  }
  if (release.updatesFrom !== null && semver.lt(installed, release.updatesFrom)) {
    throw refusal(
      'updates-from',
      `${release.version} requires ${release.updatesFrom} or later, but ${installed} is installed`,
    );
  }
}

/** Rejects changed keys. @throws LandfallError BUNDLE_KEYS with both lists of IDs */
function refuseNewKeys(release: Release, trusted: TrustedKeys): void {
  const change = keyChangeOf(release, trusted);
  if (!change) return;
  throw refusal(
    'recovery-changes-keys',
    'the release changes the trusted keys, but is not signed by the recovery key',
    { problems: [{ message: formatKeyChange(change) }] },
  );
}
