import { type HostDistribution, hostSuites } from '../setup/host-image.ts';

/** Space-separated distributions in the environment: those that the command line names. */
export const distributionsVariable = 'LANDFALL_TEST_DISTRIBUTIONS';

/** What a server of each is made of, by the name under which it was prepared. */
export const imageNeed = { debian12: 'hostDebian12', debian13: 'hostDebian13' } as const;

/** Every distribution, the newest first. */
export const everyDistribution: readonly HostDistribution[] = ['debian13', 'debian12'];

/** The distributions to test: those that the command line names, or else these. */
export function distributions(
  usual: readonly HostDistribution[] = everyDistribution,
): readonly HostDistribution[] {
  return named() ?? usual;
}

/** The suites of Debian packages of these distributions. */
export function debianSuites(): ReadonlyArray<(typeof hostSuites)[HostDistribution]> {
  return [...new Set(distributions().map((distribution) => hostSuites[distribution]))];
}

function named(): HostDistribution[] | undefined {
  const words = process.env[distributionsVariable]?.split(' ');
  return words && everyDistribution.filter((distribution) => words.includes(distribution));
}
