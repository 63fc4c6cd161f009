import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { newStatistics } from '../../../../../builder/base/progress/statistics.ts';
import { fileEntry } from '../../../../../builder/bundle/archive/entry.ts';
import { writeBundle } from '../../../../../builder/bundle/archive/write-bundle.ts';
import { oneChunk } from '../../../../simulator/verdict.ts';
import { testKey } from '../fixture.ts';
import { BundleFolder } from './fixture.ts';

const signer = testKey();
const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `bundle.tar.${String(index).padStart(3, '0')}`);

describe('a bundle that is larger than the maximum size of a file', () => {
  it('writes a large bundle in parts whose concatenation is the bundle', async () => {
    await using folder = await BundleFolder.create(signer);
    const { paths, partSize } = await folder.write(60_000);
    expect(partSize).toBe(60_000);
    expect(paths).toEqual([0, 1, 2, 3].map((number) => folder.part(number)));
    expect(await folder.names()).toEqual(numbers(4));
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
    expect(sizes.slice(0, -1)).toEqual([60_000, 60_000, 60_000]);
    const keys = { release: [signer.public], recovery: undefined };
    const joined = await folder.joined();
    const verified = await verifyBundle(oneChunk(joined), { keys });
    expect(verified.size).toBe(joined.length);
  });

  it('writes the bytes of the single file after its head to the parts', async () => {
    await using folder = await BundleFolder.create(signer);
    await folder.write(60_000);
    const joined = await folder.joined();
    await folder.write();
    const whole = await readFile(folder.tar);
    expect(joined.length).toBe(whole.length);
    // Signatures are random (ECDSA).
    expect(joined.subarray(-200_000).equals(whole.subarray(-200_000))).toBe(true);
  });

  it('replaces a bundle in one file and in other parts', async () => {
    await using folder = await BundleFolder.create(signer);
    await folder.write();
    await folder.write(30_000);
    expect(await folder.names()).toEqual(numbers(7));
    await folder.write(90_000);
    expect(await folder.names()).toEqual(numbers(3));
    await folder.write(1_000_000);
    expect(await folder.names()).toEqual(['bundle.tar']);
  });

  it('removes temporary files of an interrupted build, and no other file', async () => {
    await using folder = await BundleFolder.create(signer);
    const kept = ['bundle.tar.0000', 'bundle.tar.gz', 'bundle.tarx', 'other.tar.000'];
    const stale = ['bundle.tar.partial', 'bundle.tar.009.partial'];
    for (const name of [...kept, ...stale]) await writeFile(join(folder.path, name), 'x');
    await folder.write(60_000);
    expect(await folder.names()).toEqual([...numbers(4), ...kept].sort());
  });

  it('fails without any part, and keeps the earlier bundle', async () => {
    await using folder = await BundleFolder.create(signer);
    await folder.write(60_000);
    const before = await folder.joined();
    const absent = { path: 'c', size: 10, sha256: 'c'.repeat(64), executable: false };
    const entries = [
      fileEntry('a', Buffer.alloc(200_000)),
      { ...absent, content: { digest: `sha256:${absent.sha256}` as const } },
    ];
    const ready = async () => {
      expect(await folder.names()).toContain('bundle.tar.001.partial');
      throw new Error('not fetched');
    };
    const contents = { head: new Map(), entries, mtime: 0, maxPartSize: 50_000 };
    const written = writeBundle(folder.tar, contents, { ready, statistics: newStatistics() });
    await expect(written).rejects.toThrow('not fetched');
    expect(await folder.names()).toEqual(numbers(4));
    expect((await folder.joined()).equals(before)).toBe(true);
  });
});
