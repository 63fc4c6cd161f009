import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { checkLayout } from '#contract/bundle/layout.ts';
import { checkModels } from '#contract/bundle/model-files.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import {
  authenticate,
  checkRelease,
  type Signer,
  type TrustPolicy,
} from '#contract/trust/trust.ts';
import type { PinnedRelease } from './pinned-release.ts';

/** A verified release with its signer. */
interface SignedRelease extends PinnedRelease {
  readonly signer: Signer;
}

/**
 * Verifies a `release.json` and its signature, and returns the release to pin.
 * @throws LandfallError BUNDLE_… when the release is rejected
 */
export function pinRelease(
  manifest: Uint8Array,
  signature: Uint8Array,
  policy: TrustPolicy,
): SignedRelease {
  const signer = authenticate(manifest, signature, policy);
  const release = decodeRelease(manifest);
  checkRelease(release, signer, policy);
  checkLayout(release);
  checkModels(release);
  return { release, manifestSha256: sha256Hex(manifest), signer };
}
