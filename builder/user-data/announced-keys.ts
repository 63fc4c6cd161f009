import { readPublicKey } from '#contract/keys.ts';
import type { TrustedKeys } from '#contract/trust.ts';
import { type PinnedRelease, sharedFacts } from './pinned-release.ts';

/**
 * The keys that a server is to trust: those that the verified release announces. A server with
 * fewer would take every later release for one that changes the keys, and refuse it.
 * @throws LandfallError USER_DATA_MISMATCH when the releases announce different ones
 */
export function announcedKeys(releases: readonly PinnedRelease[]): TrustedKeys {
  const { keys } = sharedFacts(releases);
  return {
    release: keys.release.map(readPublicKey),
    recovery: keys.recovery === null ? undefined : readPublicKey(keys.recovery),
  };
}
