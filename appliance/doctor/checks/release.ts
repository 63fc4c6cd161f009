import type { Check } from '../finding.ts';

/** Reports a release that gets no security updates any more. */
export const releaseCheck: Check = {
  name: 'release',
  root: false,
  needs: 'site',
  run: async ({ release: { version, expires } }) => {
    if (Date.now() < Date.parse(expires)) return [];
    const text = `release ${version} expired on ${expires}`;
    return [{ code: 'RELEASE_EXPIRED', subject: version, text }];
  },
};
