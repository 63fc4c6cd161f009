import type { Release } from '#contract/bundle/release.ts';
import type { Warning } from '../stage/warning.ts';

/**
 * Warns about an expired release. It is still installed at the first boot: the administrator pinned
 * it, and there may be no newer release.
 */
export function warnOfExpiry({ version, expires }: Release, now: Date): Warning[] {
  if (now.getTime() < Date.parse(expires)) return [];
  const text = `release ${version} expired on ${expires} and no longer gets security updates; create user-data from a newer release`;
  return [{ kind: 'release-expired', subject: version, text }];
}
