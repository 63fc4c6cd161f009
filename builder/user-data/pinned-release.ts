import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';

/** A verified release together with what pins it. */
export interface PinnedRelease {
  readonly release: Release;
  /** SHA-256 of release.json, 64 hex digits. */
  readonly manifestSha256: string;
}

/**
 * What the releases for several architectures have in common; they must be one release.
 * @throws LandfallError USAGE when there is none, USER_DATA_MISMATCH with every difference
 */
export function sharedFacts(
  releases: readonly PinnedRelease[],
): Pick<Release, 'product' | 'version' | 'keys'> {
  const [first, ...others] = releases.map(({ release }) => release);
  if (!first) {
    throw new LandfallError('USAGE', 'user-data needs a release', {
      hint: 'Add --release dist/<name>.tar, once for each architecture.',
    });
  }
  const problems = others.flatMap((other) => differences(first, other));
  const architectures = releases.map(({ release }) => release.arch);
  if (new Set(architectures).size < architectures.length) {
    problems.push(`there is more than one for ${architectures.join(' and ')}`);
  }
  if (problems.length > 0) {
    throw new LandfallError('USER_DATA_MISMATCH', 'these bundles are not one release', {
      hint: 'Give the bundles of one build: the same product, version and keys, each architecture once.',
      problems: problems.map((message) => ({ message })),
    });
  }
  return first;
}

function differences(one: Release, other: Release): string[] {
  return (['product', 'version', 'keys'] as const)
    .filter((fact) => spell(one[fact]) !== spell(other[fact]))
    .map((fact) =>
      fact === 'keys'
        ? `the one for ${other.arch} announces other keys`
        : `${one[fact]} for ${one.arch}, ${other[fact]} for ${other.arch}`,
    );
}

/** Keys count as equal in any order. */
function spell(fact: string | Release['keys']): string {
  if (typeof fact === 'string') return fact;
  return JSON.stringify([fact.release.toSorted(), fact.recovery]);
}
