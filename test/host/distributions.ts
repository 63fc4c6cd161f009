import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type HostDistribution, hostSuites } from '../setup/debian/host-image.ts';

/** Environment variable with space-separated distributions: those of the command line. */
export const distributionsVariable = 'LANDFALL_TEST_DISTRIBUTIONS';

/** The name of the prepared dependency for each distribution. */
export const imageNeed = {
  debian12: 'hostDebian12',
  debian13: 'hostDebian13',
  'ubuntu-like': 'hostUbuntuLike',
  'resolute-like': 'hostResoluteLike',
} as const;

/** Every distribution, the newest first. */
export const everyDistribution: readonly HostDistribution[] = [
  'debian13',
  'debian12',
  'ubuntu-like',
  'resolute-like',
];

const everyDebian: readonly HostDistribution[] = ['debian13', 'debian12'];

/**
 * Returns the distributions that a file tests: those of the command line, or else these. Each one
 * is a project of `vitest.config.ts`, so they run in parallel.
 */
export function distributions(
  defaults: readonly HostDistribution[] = everyDebian,
): readonly HostDistribution[] {
  return named() ?? defaults;
}

/** Returns the suites of Debian packages of the distributions to test. */
export function debianSuites(): ReadonlyArray<(typeof hostSuites)[HostDistribution]> {
  return [...new Set(distributions().map((distribution) => hostSuites[distribution]))];
}

/** Returns the files that test servers of a distribution, relative to the root of the project. */
export function hostFilesFor(distribution: HostDistribution): string[] {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const wanted = named();
  const isNamed = wanted?.includes(distribution) ?? false;
  if (wanted && !isNamed) return [];
  return globSync('test/host/**/*.test.ts', { cwd: root }).filter((file) => {
    const text = readFileSync(`${root}/${file}`, 'utf8');
    const only = /\bhostNeeds\('([\w-]+)'/.exec(text)?.[1];
    if (only !== undefined) return only === distribution;
    if (!text.includes('distributions(')) return distribution === 'debian13';
    const defaults = /\bdistributions\(\[([^\]]*)\]\)/.exec(text)?.[1];
    return (
      isNamed ||
      (defaults ?? `${everyDebian.map((each) => `'${each}'`)}`).includes(`'${distribution}'`)
    );
  });
}

function named(): HostDistribution[] | undefined {
  const words = process.env[distributionsVariable]?.split(' ');
  return words && everyDistribution.filter((distribution) => words.includes(distribution));
}
