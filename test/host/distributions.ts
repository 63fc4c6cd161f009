import type { HostDistribution } from '../setup/host-image.ts';

/** Space-separated distributions in the environment: what `npm run test:host` was asked for. */
export const distributionsVariable = 'LANDFALL_TEST_DISTRIBUTIONS';

/** What a server of each is made of, by the name under which it was prepared. */
export const imageNeed = { debian12: 'hostDebian12', debian13: 'hostDebian13' } as const;

/** The distributions to test, the newest first. */
export function distributions(): HostDistribution[] {
  const wanted = process.env[distributionsVariable]?.split(' ');
  const all: HostDistribution[] = ['debian13', 'debian12'];
  return all.filter((distribution) => wanted?.includes(distribution) ?? true);
}
