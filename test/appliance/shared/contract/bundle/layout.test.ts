import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLayout, offsetsOf } from '#contract/bundle/layout.ts';
import { makeRelease } from '../../../../simulator/bundle.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';

const releaseWith = (...paths: string[]) =>
  makeRelease(paths.map((path) => ({ path, content: Buffer.from('x') })));

describe('the offsets of files', () => {
  it('follow a header of 512 bytes and the padding of the previous file', () => {
    expect(
      offsetsOf([{ size: 0 }, { size: 1 }, { size: 512 }, { size: 513 }, { size: 7 }]),
    ).toEqual([512, 1024, 2048, 3072, 4608]);
  });

  it('accept an empty list', () => {
    expect(offsetsOf([])).toEqual([]);
  });

  it('stay exact beyond 8 GiB', () => {
    const size = 5_000_000_000_001;
    const padded = 5_000_000_000_512;
    expect(offsetsOf([{ size }, { size }])).toEqual([512, 512 + padded + 512]);
  });

  it('aligns the offsets of files to blocks, in order', () => {
    const sizes = fc.array(fc.record({ size: fc.nat(2 ** 31 - 1) }), { maxLength: 50 });
    fc.assert(
      fc.property(sizes, (files) => {
        const offsets = offsetsOf(files);
        for (const [index, offset] of offsets.entries()) {
          const before = index === 0 ? -512 : (offsets[index - 1] ?? 0);
          const room = offset - before - 512;
          expect(offset % 512).toBe(0);
          expect(room).toBeGreaterThanOrEqual(index === 0 ? 0 : (files[index - 1]?.size ?? 0));
        }
      }),
      { numRuns: fuzzRuns(200) },
    );
  });
});

describe('the list of files', () => {
  it.each([
    [['a', 'b']],
    [['a/b', 'a/c', 'b/a']],
    [['a', 'a.b', 'ab']],
    [['a/b/c', 'a/b/d', 'a/c']],
  ])('may be %j', (paths) => {
    expect(() => checkLayout(releaseWith(...paths))).not.toThrow();
  });

  it.each([
    [['a', 'a'], 'a'],
    [['a', 'A'], 'A'],
    [['a', 'a/b'], 'a/b'],
    [['a/b', 'a'], 'a'],
    [['a/b', 'A'], 'A'],
    [['a/b/c/d', 'a/b'], 'a/b'],
    [['SHA256SUMS'], 'SHA256SUMS'],
    [['Release.json.sig'], 'Release.json.sig'],
    [['release.json/x'], 'release.json/x'],
    [['runtime/node'], 'runtime/node'],
    [['runtime/Node/x'], 'runtime/Node/x'],
  ])('may not be %j, because of %s', (paths, culprit) => {
    expect(() => checkLayout(releaseWith(...paths))).toThrow(
      expect.objectContaining({
        code: 'BUNDLE_MANIFEST',
        rule: 'unique-paths',
        message: `${culprit} conflicts with another path in release.json`,
      }),
    );
  });

  it('reports the wrong offset', () => {
    const release = releaseWith('a', 'b');
    const files = release.files.map((file) => ({ ...file, offset: 512 }));
    expect(() => checkLayout({ ...release, files })).toThrow(
      'release.json has a wrong offset for b',
    );
  });
});
