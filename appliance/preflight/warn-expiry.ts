import type { Release } from '#contract/bundle/release.ts';

/**
 * Warns of a release that has expired. No reason to refuse it at the first boot: its administrator
 * pinned it, and a new server may be needed while there is no newer release.
 */
export function warnOfExpiry({ version, expires }: Release, now: Date): string[] {
  if (now.getTime() < Date.parse(expires)) return [];
  return [
    `release ${version} expired on ${expires}: it no longer gets security updates; make user-data of a newer release for the next server`,
  ];
}
