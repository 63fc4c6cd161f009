import { announcedKeys } from '#contract/trust/key-change.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { type PinnedRelease, sharedFacts } from './pinned-release.ts';

/**
 * Returns the keys that a server trusts: those that the verified releases announce. With fewer keys,
 * the server would reject later releases as a change of keys.
 * @throws LandfallError USER_DATA_MISMATCH when the releases announce different keys
 */
export function serverKeys(releases: readonly PinnedRelease[]): TrustedKeys {
  return announcedKeys(sharedFacts(releases).keys);
}
