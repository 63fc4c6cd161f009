import type { Release } from '#contract/bundle/release.ts';
import type { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import type { Probed } from './archives.ts';
import { destinations } from './destinations.ts';
import { reachAny } from './reach.ts';

/** Probes every download of a release. One reachable URL of a download is enough. */
export async function probeDestinations(site: Site, release: Release): Promise<Probed[]> {
  return await Promise.all(
    destinations(release, site).map(async ({ what, title, urls }) => {
      const answers = await reachAny(site, urls);
      if (answers.some(({ failure }) => failure === undefined)) return { subject: what, title };
      const reason = answers.map(({ failure }) => failure?.message).join('; ');
      return {
        subject: what,
        title,
        failure: { message: `${what}: ${reason}`, reason, ...adviceOf(answers[0]?.failure) },
      };
    }),
  );
}

function adviceOf({ code, hint }: Partial<Pick<LandfallError, 'code' | 'hint'>> = {}) {
  return { code, hint };
}
