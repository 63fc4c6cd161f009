import type { Problem } from '#contract/errors.ts';
import { missingComponents } from '#contract/site/chosen-images.ts';
import type { Context } from '../stage/stage.ts';

/** Judges whether the release has every part that the site turns on. */
export function judgeParts({ release, site }: Pick<Context, 'release' | 'site'>): Problem[] {
  return missingComponents(release, site).map(({ name: part, because }) => ({
    message: `${because}, but ${release.product} ${release.version} has no ${part}`,
    hint: 'Make new user-data for a site without it, or for a release that has it.',
  }));
}
