import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { checkLayout } from '#contract/bundle/layout.ts';
import { checkModels } from '#contract/bundle/model-files.ts';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { type TrustedKeys, trustedKeysOf } from '#contract/trust/keys.ts';
import {
  authenticate,
  checkRelease,
  type Signer,
  type TrustPolicy,
} from '#contract/trust/trust.ts';

/** A verified release with the checksum of its manifest. */
export interface PinnedRelease {
  readonly release: Release;
  /** SHA-256 of release.json, 64 hex digits. */
  readonly manifestSha256: string;
  /** Size of each part of the bundle except the last, in bytes. Undefined: one file. */
  readonly partSize?: number | undefined;
}

/**
 * Returns the common facts of the bundles of one release for several architectures.
 * @throws LandfallError USAGE when there is none, USER_DATA_MISMATCH with every difference
 */
export function sharedFacts(
  releases: readonly PinnedRelease[],
): Pick<Release, 'product' | 'version' | 'keys'> {
  const [first, ...others] = releases.map(({ release }) => release);
  if (!first) {
    throw new LandfallError('USAGE', 'no release is given', {
      hint: {
        en: 'Add --release dist/<name>.tar for each architecture.',
        zh: '为每个架构加上 --release dist/<名称>.tar。',
      },
    });
  }
  const problems = others.flatMap((other) => differences(first, other));
  const architectures = releases.map(({ release }) => release.arch);
  if (new Set(architectures).size < architectures.length) {
    problems.push(`more than one bundle per architecture: ${architectures.join(', ')}`);
  }
  if (problems.length > 0) {
    throw new LandfallError('USER_DATA_MISMATCH', 'the bundles do not belong to one release', {
      hint: 'Use bundles of one build, with one bundle per architecture.',
      problems: problems.map((message) => ({ message })),
    });
  }
  return first;
}

/**
 * Returns the keys that a server trusts: those that the verified releases announce. With fewer keys,
 * the server would reject later releases as a change of keys.
 * @throws LandfallError USER_DATA_MISMATCH when the releases announce different keys
 */
export function serverKeys(releases: readonly PinnedRelease[]): TrustedKeys {
  return trustedKeysOf(sharedFacts(releases).keys);
}

function differences(one: Release, other: Release): string[] {
  return (['product', 'version', 'keys'] as const)
    .filter((fact) => comparable(one[fact]) !== comparable(other[fact]))
    .map((fact) =>
      fact === 'keys'
        ? `the bundle for ${other.arch} announces different keys`
        : `${one[fact]} for ${one.arch}, ${other[fact]} for ${other.arch}`,
    );
}

/** Encodes a fact for comparison; the order of keys is ignored. */
function comparable(fact: string | Release['keys']): string {
  if (typeof fact === 'string') return fact;
  return JSON.stringify([fact.release.toSorted(), fact.recovery]);
}

/**
 * Verifies a `release.json` and its signature, and returns the release to pin.
 * @throws LandfallError BUNDLE_… when the release is rejected
 */
export function pinRelease(
  manifest: Uint8Array,
  signature: Uint8Array,
  policy: TrustPolicy,
): PinnedRelease & { readonly signer: Signer } {
  const signer = authenticate(manifest, signature, policy);
  const release = decodeRelease(manifest);
  checkRelease(release, signer, policy);
  checkLayout(release);
  checkModels(release);
  return { release, manifestSha256: sha256Hex(manifest), signer };
}
