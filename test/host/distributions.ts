import type { HostDistribution } from '../setup/host-image.ts';

/** Space-separated distributions in the environment: what `npm run test:host` was asked for. */
export const distributionsVariable = 'LANDFALL_TEST_DISTRIBUTIONS';

/** What a server of each is made of, by the name under which it was prepared. */
export const imageNeed = {
  debian12: 'hostDebian12',
  debian13: 'hostDebian13',
  'ubuntu-like': 'hostUbuntuLike',
} as const;

const all: readonly HostDistribution[] = ['debian13', 'debian12', 'ubuntu-like'];

/**
 * The distributions to test, the newest first: those that were asked for, or else every Debian.
 * @param more what the tests of a file run on besides, unless others were asked for
 */
export function distributions(...more: readonly HostDistribution[]): HostDistribution[] {
  const wanted = process.env[distributionsVariable]?.split(' ') ?? [
    'debian13',
    'debian12',
    ...more,
  ];
  return all.filter((distribution) => wanted.includes(distribution));
}
