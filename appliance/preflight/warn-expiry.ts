import type { Release } from '#contract/bundle/release.ts';
import type { Warning } from '../stage/warning.ts';

/**
 * Warns of a release that has expired. No reason to refuse it at the first boot: its administrator
 * pinned it, and a new server may be needed while there is no newer release.
 */
export function warnOfExpiry({ version, expires }: Release, now: Date): Warning[] {
  if (now.getTime() < Date.parse(expires)) return [];
  const text = `release ${version} expired on ${expires}: it no longer gets security updates; make user-data of a newer release for the next server`;
  return [{ kind: 'release-expired', subject: version, text }];
}
