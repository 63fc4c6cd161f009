import type { Problem } from '#contract/errors.ts';
import { missingComponents } from '#contract/site/chosen-images.ts';
import type { Context } from '../stage/stage.ts';

/** Checks that the release contains every component that the site enables. */
export function checkComponents({ release, site }: Pick<Context, 'release' | 'site'>): Problem[] {
  return missingComponents(release, site).map(({ name: component, because }) => ({
    message: `${because}, but ${release.product} ${release.version} has no ${component}`,
    hint: 'Create user-data from a site without it, or for a release that includes it.',
  }));
}
