import { describe } from 'vitest';
import { needs } from '../integration/needs.ts';
import type { HostDistribution } from '../setup/debian/host-image.ts';
import type { NeedName } from '../setup/variables.ts';
import { imageNeed } from './distributions.ts';
import type { CloudDependencies } from './network/cloud.ts';

/** Seconds since 1970 after which no more files of servers begin; none by default. */
const deadline = Number(process.env.LANDFALL_TEST_DEADLINE) || Number.POSITIVE_INFINITY;
const late = 'it had not begun when the time of CI ran out (LANDFALL_TEST_DEADLINE)';

/**
 * Requests all dependencies of a server of one distribution, and others by name:
 *
 *     const given = hostNeeds('debian13', 'registry');
 *     given.describe('a fresh server', () => {
 *       beforeAll(async () => {
 *         cloud = await Cloud.open(given.dependencies);
 */
export function hostNeeds<Name extends NeedName = never>(
  distribution: HostDistribution,
  ...names: readonly Name[]
) {
  const image = imageNeed[distribution];
  const given = needs<NeedName>('engine', 'packageCache', image, ...names);
  const { engine, packageCache } = given;
  const dependencies: CloudDependencies = {
    engine,
    packageCache,
    images: { [distribution]: given[image] },
  };
  const own = { ...(given as ReturnType<typeof needs<Name>>), dependencies };
  if (Date.now() / 1000 < deadline) return own;
  const skipped = (title: string, suite: () => void) =>
    void describe(title, { skip: true, meta: { unmet: late } }, suite);
  return { ...own, describe: skipped };
}
