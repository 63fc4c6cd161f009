import { describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import { firstDifference } from '../../../builder/reproduce/first-difference.ts';
import { releaseWith } from './rig.ts';

const release = releaseWith([
  { path: 'NOTICE', sha256: 'a'.repeat(64) },
  { path: 'program/landfall.mjs', sha256: 'b'.repeat(64) },
]);
const changed = (change: Partial<Release>): Release => ({ ...release, ...change });

describe('the first difference between two releases', () => {
  it('is undefined if they are equal', () => {
    expect(firstDifference(release, structuredClone(release))).toBeUndefined();
  });

  it('is the first file with other content, with both digests', () => {
    const built = releaseWith([
      { path: 'NOTICE', sha256: 'a'.repeat(64) },
      { path: 'program/landfall.mjs', sha256: 'c'.repeat(64) },
    ]);
    expect(firstDifference(release, { ...built, version: '9.0.0' })).toEqual({
      path: 'program/landfall.mjs',
      published: 'b'.repeat(64),
      built: 'c'.repeat(64),
    });
  });

  it('is a file that one of them does not have', () => {
    const less = releaseWith([{ path: 'NOTICE', sha256: 'a'.repeat(64) }]);
    expect(firstDifference(release, less)).toEqual({
      path: 'program/landfall.mjs',
      published: 'b'.repeat(64),
      built: 'no such file',
    });
    expect(firstDifference(less, release)?.published).toBe('no such file');
  });

  it('is a field if all files are equal', () => {
    const other = changed({ keys: { ...release.keys, recovery: 'x' } });
    expect(firstDifference(release, other)).toEqual({
      path: 'keys.recovery',
      published: 'null',
      built: '"x"',
    });
    const critical = [{ field: 'images.runtime', since: '1.0.0' }];
    expect(firstDifference(release, changed({ critical }))).toMatchObject({
      path: 'critical',
      published: 'absent',
    });
  });

  it('is the order of the files if nothing else differs', () => {
    const files = release.files.toReversed();
    expect(firstDifference(release, { ...release, files })).toMatchObject({
      path: 'files.0.path',
      published: '"NOTICE"',
    });
  });
});
