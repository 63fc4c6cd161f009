import { announcedKeys } from '#contract/trust/key-change.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { type PinnedRelease, sharedFacts } from './pinned-release.ts';

/**
 * The keys that a server is to trust: those that the verified releases announce. A server with
 * fewer would take every later release for one that changes the keys, and refuse it.
 * @throws LandfallError USER_DATA_MISMATCH when the releases announce different ones
 */
export function serverKeys(releases: readonly PinnedRelease[]): TrustedKeys {
  return announcedKeys(sharedFacts(releases).keys);
}
