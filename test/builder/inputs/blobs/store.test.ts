import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { BlobStore } from '../../../../builder/inputs/blobs/store.ts';
import { descriptorOf } from './rig.ts';

const bytes = Buffer.from('content');
const descriptor = descriptorOf(bytes);
let folder: string;
let store: BlobStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-store-'));
  store = await BlobStore.open(join(folder, 'store'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const unfinished = () => readdir(join(store.folder, 'partial'));

describe('opening a store', () => {
  it('creates its folders with mode 0700', async () => {
    expect((await stat(store.folder)).mode & 0o777).toBe(0o700);
    expect((await readdir(store.folder)).sort()).toEqual(['blobs', 'partial']);
  });

  it('finds existing blobs when it is opened again', async () => {
    await store.put(bytes, 'text/plain');
    expect(await (await BlobStore.open(store.folder)).has(descriptor)).toBe(true);
  });

  it('uses the cache folder of the environment by default', async () => {
    vi.stubEnv('XDG_CACHE_HOME', folder);
    expect((await BlobStore.open()).folder).toBe(join(folder, 'landfall'));
  });

  it.each(['', 'relative/folder'])('uses ~/.cache if the environment has %j', async (value) => {
    vi.stubEnv('XDG_CACHE_HOME', value);
    vi.stubEnv('HOME', folder);
    expect(homedir()).toBe(folder);
    expect((await BlobStore.open()).folder).toBe(join(folder, '.cache', 'landfall'));
  });

  it('fails if a file is in the way, and names it', async () => {
    const path = join(folder, 'file');
    await writeFile(path, '');
    await expect(BlobStore.open(join(path, 'store'))).rejects.toMatchObject({
      code: 'FILE_ACCESS',
      message: `cannot create the cache ${join(path, 'store')} (ENOTDIR)`,
      hint: expect.stringContaining('XDG_CACHE_HOME'),
    });
  });

  it('removes abandoned partial blobs, and no others', async () => {
    const partial = join(store.folder, 'partial');
    const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * 7 * 24 * 3_600_000);
    for (const [name, weeks] of [
      ['old', 2.1],
      ['recent', 1.9],
    ] as const) {
      await writeFile(join(partial, name), 'x');
      await utimes(join(partial, name), weeksAgo(weeks), weeksAgo(weeks));
    }
    await BlobStore.open(store.folder);
    expect(await unfinished()).toEqual(['recent']);
  });
});

describe('a blob', () => {
  it('stores a blob under its digest', async () => {
    await store.put(bytes, 'text/plain');
    const hex = digestOf(bytes).slice('sha256:'.length);
    expect(store.path(descriptor.digest)).toBe(join(store.folder, 'blobs/sha256', hex));
    expect(await readFile(store.path(descriptor.digest))).toEqual(bytes);
  });

  it('exists only with its exact size', async () => {
    expect(await store.has(descriptor)).toBe(false);
    await store.put(bytes, 'text/plain');
    expect(await store.has(descriptor)).toBe(true);
    expect(await store.has({ ...descriptor, size: bytes.length - 1 })).toBe(false);
    expect(await store.has({ ...descriptor, digest: digestOf('other') })).toBe(false);
  });

  it('does not exist if a folder has its name', async () => {
    const digest = digestOf('x');
    await BlobStore.open(store.path(digest));
    const { size } = await stat(store.path(digest));
    expect(await store.has({ digest, size, mediaType: '' })).toBe(false);
  });
});

describe('putting bytes', () => {
  it('returns their descriptor and leaves no partial file', async () => {
    expect(await store.put(bytes, 'text/plain')).toEqual({
      ...descriptor,
      mediaType: 'text/plain',
    });
    expect(await unfinished()).toEqual([]);
  });

  it('succeeds twice concurrently', async () => {
    await Promise.all([store.put(bytes, 'a'), store.put(bytes, 'b'), store.put(bytes, 'c')]);
    expect(await readdir(join(store.folder, 'blobs/sha256'))).toHaveLength(1);
    expect(await unfinished()).toEqual([]);
  });

  it('does not change an existing blob', async () => {
    await store.put(bytes, 'a');
    const before = await stat(store.path(descriptor.digest));
    await store.put(bytes, 'a');
    expect((await stat(store.path(descriptor.digest))).ino).toBe(before.ino);
  });

  it('repairs a truncated blob', async () => {
    await writeFile(store.path(descriptor.digest), 'cont');
    await store.put(bytes, 'a');
    expect(await readFile(store.path(descriptor.digest))).toEqual(bytes);
  });

  it('fails with the path if the folder was removed', async () => {
    await rm(join(store.folder, 'partial'), { recursive: true });
    await expect(store.put(bytes, 'a')).rejects.toMatchObject({
      code: 'FILE_ACCESS',
      message: expect.stringContaining(store.path(descriptor.digest)),
    });
  });
});
