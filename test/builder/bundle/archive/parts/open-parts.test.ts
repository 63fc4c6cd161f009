import { appendFile, copyFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { silentReporter } from '../../../../../builder/base/progress/reporter.ts';
import { openBundle } from '../../../../../builder/bundle/archive/open-bundle.ts';
import { testKey } from '../fixture.ts';
import { BundleFolder } from './fixture.ts';

const signer = testKey();
const keys = { release: [signer.public], recovery: undefined };

async function verify(path: string) {
  const bundle = await openBundle(path, silentReporter);
  try {
    const { size } = await verifyBundle(bundle.content, { keys });
    return { size, partSize: bundle.partSize, opened: bundle.size };
  } finally {
    await bundle.close();
  }
}

describe('a bundle in parts', () => {
  it.each(['bundle.tar.000', 'bundle.tar.002', 'bundle.tar'])(
    'verifies a bundle in parts as %s',
    async (name) => {
      await using folder = await BundleFolder.create(signer);
      await folder.write(60_000);
      const { size, partSize, opened } = await verify(join(folder.path, name));
      expect({ size, partSize }).toEqual({ size: opened, partSize: 60_000 });
    },
  );

  it('reads the whole file instead of the parts if it is named and exists', async () => {
    await using folder = await BundleFolder.create(signer);
    await folder.write(60_000);
    await writeFile(folder.tar, await folder.joined());
    expect((await verify(folder.tar)).partSize).toBeUndefined();
    expect((await verify(folder.part(0))).partSize).toBe(60_000);
  });

  it.each([
    [0, 10],
    [59_990, 20],
    [60_000, 60_000],
    [100, 150_000],
  ])('reads a bundle at byte %i across parts', async (position, length) => {
    await using folder = await BundleFolder.create(signer);
    await folder.write(60_000);
    const bundle = await openBundle(folder.part(0), silentReporter);
    const bytes = await bundle.readAt(position, length);
    await expect(bundle.readAt(bundle.size - 5, 10)).rejects.toMatchObject({
      code: 'BUNDLE_TRUNCATED',
    });
    await bundle.close();
    const joined = await folder.joined();
    expect(bytes.equals(joined.subarray(position, position + length))).toBe(true);
  });
});

describe('parts of a bundle that do not belong together', () => {
  const swap = async (folder: BundleFolder, one: number, other: number) => {
    await rename(folder.part(one), `${folder.part(one)}.kept`);
    await rename(folder.part(other), folder.part(one));
    await rename(`${folder.part(one)}.kept`, folder.part(other));
  };
  const ofAnotherRelease = async (folder: BundleFolder, number: number) => {
    await using other = await BundleFolder.create(signer);
    await other.write(60_000, 'b');
    await copyFile(other.part(number), folder.part(number));
  };

  it.each<[string, (folder: BundleFolder) => Promise<unknown>, string, RegExp]>([
    ['a missing first part', (f) => rm(f.part(0)), 'FILE_MISSING', /tar\.000 does not exist/],
    ['a missing part', (f) => rm(f.part(1)), 'FILE_MISSING', /tar\.001 does not exist/],
    [
      'a missing last part',
      (f) => rm(f.part(3)),
      'BUNDLE_TRUNCATED',
      /bundle\.tar\.003 is missing/,
    ],
    [
      'a part that ends early',
      (f) => truncate(f.part(1), 30_000),
      'BUNDLE_TRUNCATED',
      /tar\.001 has 30000 bytes instead of 60000/,
    ],
    [
      'a first part that ends early',
      (f) => truncate(f.part(0), 30_000),
      'BUNDLE_TRUNCATED',
      /tar\.001 has 60000 bytes instead of 30000/,
    ],
    [
      'a last part that ends early',
      (f) => truncate(f.part(3), 9_000),
      'BUNDLE_TRUNCATED',
      /truncated/,
    ],
    [
      'an empty last part',
      (f) => truncate(f.part(3), 0),
      'BUNDLE_TRUNCATED',
      /tar\.003 has 0 bytes/,
    ],
    [
      'a longer part',
      (f) => appendFile(f.part(1), 'x'),
      'BUNDLE_TRUNCATED',
      /tar\.001 has 60001 bytes/,
    ],
    ['a longer last part', (f) => appendFile(f.part(3), 'x'), 'BUNDLE_TRAILING', /trailing data/],
    [
      'an extra part',
      (f) => writeFile(f.part(4), 'x'),
      'BUNDLE_TRUNCATED',
      /tar\.003 has \d+ bytes/,
    ],
    ['an extra part after a gap', (f) => writeFile(f.part(7), 'x'), 'FILE_MISSING', /tar\.004/],
    ['swapped parts', (f) => swap(f, 0, 1), 'BUNDLE_HEADER', /./],
    ['a part of another release', (f) => ofAnotherRelease(f, 1), 'BUNDLE_CONTENT', /./],
    ['the first part of another release', (f) => ofAnotherRelease(f, 0), 'BUNDLE_CONTENT', /./],
  ])(
    'rejects parts of a bundle that do not belong together: %s',
    async (_what, change, code, message) => {
      await using folder = await BundleFolder.create(signer);
      await folder.write(60_000);
      await change(folder);
      const rejected = expect.objectContaining({ code, message: expect.stringMatching(message) });
      await expect(verify(folder.tar)).rejects.toEqual(rejected);
    },
  );

  it('rejects a whole bundle that has the name of its first part', async () => {
    await using folder = await BundleFolder.create(signer);
    await folder.write();
    await rename(folder.tar, folder.part(0));
    await expect(verify(folder.tar)).rejects.toMatchObject({ code: 'BUNDLE_TRUNCATED' });
    expect((await readFile(folder.part(0))).length).toBeGreaterThan(200_000);
  });
});
