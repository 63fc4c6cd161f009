import type { Release, ReleaseFile } from '#contract/bundle/release.ts';
import { releaseOf } from '../../../../builder/bundle/archive/release-facts.ts';
import { factsFor, testKey } from '../archive/fixture.ts';

const key = testKey();

/** Returns a release with these files, each of one byte. */
export function releaseWith(
  files: ReadonlyArray<Pick<ReleaseFile, 'path' | 'sha256'>>,
  facts: Partial<Parameters<typeof releaseOf>[0]> = {},
): Release {
  const entries = files.map((file) => ({
    ...file,
    size: 1,
    executable: false,
    content: Buffer.alloc(1),
  }));
  return releaseOf({ ...factsFor(key), ...facts }, entries);
}
