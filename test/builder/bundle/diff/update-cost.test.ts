import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import { costOf, updateCost } from '#contract/bundle/update-cost.ts';
import { digestOf, sha256Hex } from '#contract/trust/digest.ts';
import { amount } from '../../../../builder/bundle/diff/update-cost.ts';
import { makeRelease } from '../../../simulator/bundle.ts';
import { release as someRelease } from './arbitrary.ts';

const file = (path: string, text: string) => ({ path, content: Buffer.from(text) });
const nothing = { items: 0, bytes: 0, unsized: 0 };

function cost(before: Partial<Release>, after: Partial<Release>) {
  const release = { ...makeRelease([file('a', 'x')]), updatesFrom: null, models: [] };
  return updateCost({ before: { ...release, ...before }, after: { ...release, ...after } });
}

const filesOf = (...files: ReturnType<typeof file>[]) => ({ files: makeRelease(files).files });

describe('the bytes of an update', () => {
  it('counts no bytes of an update from a release to itself', () => {
    fc.assert(
      fc.property(someRelease, (release) => {
        const { moved, images, models } = updateCost({ before: release, after: release });
        expect({ moved, images, models }).toEqual({
          moved: nothing,
          images: nothing,
          models: nothing,
        });
      }),
    );
  });

  it('counts the bytes of all distinct contents, without those that both releases have', () => {
    fc.assert(
      fc.property(someRelease, someRelease, (before, after) => {
        const there = updateCost({ before, after });
        const back = updateCost({ before: after, after: before });
        const contents = new Set([...after.files, ...after.downloads].map(({ sha256 }) => sha256));
        expect(there.moved.items + there.kept.items).toBe(contents.size);
        expect(there.kept.items).toBe(back.kept.items);
      }),
    );
  });

  it('count a content once, also if it has two paths or was renamed', () => {
    const { moved, kept } = cost(
      filesOf(file('a', 'same'), file('old', 'renamed')),
      filesOf(file('a', 'same'), file('b', 'added!'), file('c', 'added!'), file('new', 'renamed')),
    );
    expect(moved).toEqual({ items: 1, bytes: 6, unsized: 0 });
    expect(kept).toEqual({ items: 2, bytes: 11, unsized: 0 });
  });

  it('count a download whose size is unknown', () => {
    const download = {
      path: 'runtime/docker-compose',
      urls: ['https://x.example/compose'],
      sha256: sha256Hex('compose'),
      size: null,
      executable: true,
    };
    expect(cost({}, { downloads: [download] }).moved).toEqual({ items: 1, bytes: 0, unsized: 1 });
    expect(cost({ downloads: [download] }, { downloads: [download] }).moved).toEqual(nothing);
  });

  it('count changed images that the bundle does not contain', () => {
    const image = {
      component: 'engine',
      reference: 'ollama/ollama:1',
      index: digestOf('index'),
      manifest: digestOf('manifest'),
      config: null,
      size: 1000,
      optional: false,
    };
    const carried = filesOf(file('blobs/sha256/manifest', 'manifest'));
    expect(cost({}, { images: [image] }).images).toEqual({ items: 1, bytes: 1000, unsized: 0 });
    expect(cost({ images: [image] }, { images: [image] }).images).toEqual(nothing);
    expect(cost({}, { images: [image], ...carried }).images).toEqual(nothing);
    const retagged = { ...image, component: 'other', reference: 'mirror/ollama:1' };
    expect(cost({ images: [image] }, { images: [retagged] }).images).toEqual(nothing);
    const unresolved = { ...image, manifest: null, size: null };
    expect(cost({ images: [image] }, { images: [unresolved] }).images).toEqual(nothing);
    const other = { ...unresolved, index: digestOf('other') };
    expect(cost({ images: [image] }, { images: [other] }).images).toMatchObject({ unsized: 1 });
  });

  it('count changed models that the bundle does not contain', () => {
    const model = { name: 'a:1', role: 'chat', manifest: digestOf('m'), size: 500 } as const;
    const changed = { ...model, manifest: digestOf('n') };
    expect(cost({ models: [model] }, { models: [changed] }).models).toMatchObject({ bytes: 500 });
    expect(cost({ models: [model] }, { models: [model] }).models).toEqual(nothing);
    const carried = filesOf(file(`models/sha256/${sha256Hex('n')}`, 'n'));
    expect(cost({ models: [model] }, { models: [changed], ...carried }).models).toEqual(nothing);
  });
});

describe('a direct update', () => {
  it.each([
    ['product', {}, { product: 'other' }],
    ['arch', {}, { arch: 'arm64' }],
    ['older', { version: '1.10.0' }, { version: '1.9.0' }],
    ['updates-from', { version: '1.0.0' }, { version: '2.0.0', updatesFrom: '1.5.0' }],
    [null, { version: '1.5.0' }, { version: '2.0.0', updatesFrom: '1.5.0' }],
    [null, { version: '1.0.0-rc.1' }, { version: '1.0.0' }],
  ] as const)(
    'finds the obstacle %s to a direct update from %j to %j',
    (obstacle, before, after) => {
      expect(cost(before, after).obstacle).toBe(obstacle);
    },
  );
});

it.each([
  [[], 'no files'],
  [[1000], '1.0 kB in 1 file'],
  [[1000, 500], '1.5 kB in 2 files'],
  [[null], '1 file of unknown size'],
  [[1000, null, null], '1.0 kB in 1 file and 2 files of unknown size'],
  [[0], '0 B in 1 file'],
])('the sizes %j are printed as "%s"', (sizes, text) => {
  expect(amount(costOf(sizes), 'file')).toBe(text);
});
