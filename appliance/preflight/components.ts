import type { Problem } from '#contract/errors.ts';
import { missingParts } from '#contract/site/chosen-images.ts';
import type { Context } from '../stage/stage.ts';

/** Checks that the release contains every component that the site enables. */
export function judgeComponents({ release, site }: Pick<Context, 'release' | 'site'>): Problem[] {
  return missingParts(release, site).map(({ part, because }) => ({
    message: `${because}, but ${release.product} ${release.version} has no ${part}`,
    hint: 'Create user-data from a site without it, or for a release that includes it.',
  }));
}
