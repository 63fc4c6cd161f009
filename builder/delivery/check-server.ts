import type { Release } from '#contract/bundle/release.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { checkFromOutside } from '../../appliance/preflight/check-from-outside.ts';
import type { ServerSnapshot } from './server-snapshot.ts';

/**
 * Checks a fresh server as preflight does, before anything is changed.
 * @throws LandfallError SERVER_UNFIT with every problem
 */
export async function checkServer(
  { host, server, missing }: ServerSnapshot,
  release: Release,
  site: Site,
): Promise<void> {
  const facts = { host, server, site, release, releaseFolder: '/' };
  const problems: Problem[] = [
    ...missing.map((tool) => ({
      message: `${tool} is missing on the server`,
      hint: `Install it on the server: apt-get update && apt-get install ${tool}`,
    })),
    ...(await checkFromOutside(facts)),
  ];
  if (problems.length === 0) return;
  throw new LandfallError('SERVER_UNFIT', 'this server does not meet the requirements', {
    hint: 'Fix the problems above, or use another server. Nothing was changed.',
    problems,
  });
}
