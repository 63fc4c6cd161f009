import { needs } from '../integration/needs.ts';
import type { HostDistribution } from '../setup/debian/host-image.ts';
import type { NeedName } from '../setup/variables.ts';
import { imageNeed } from './distributions.ts';
import type { CloudDependencies } from './network/cloud.ts';

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
  return { ...(given as ReturnType<typeof needs<Name>>), dependencies };
}
