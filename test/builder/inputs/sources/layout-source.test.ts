import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { type Equipment, equip, refusalOf } from '../../../faulty-registry/equipment.ts';
import { makeImage, named, types } from '../../../faulty-registry/make-image.ts';
import { blobPath, json, ociLayout, unpack } from './archives.ts';

const both = ['linux/amd64', 'linux/arm64'] as const;
const image = makeImage();
const amd64 = image.platforms.get('linux/amd64');
const layer = amd64?.layers[0] ?? image.index;

let tools: Equipment;
let folder: string;

beforeEach(async () => {
  tools = await equip();
  folder = join(tools.folder, 'layout');
  await unpack(ociLayout(image), folder);
});

afterEach(() => tools.close());

describe('an OCI layout in a folder', () => {
  it('returns its content byte for byte', async () => {
    const source = tools.open('oci:layout');
    const { index, platforms } = await source.resolve(both);
    expect(index.bytes).toEqual(image.index.bytes);
    expect(platforms.map(({ platform }) => platform)).toEqual(both);
    const layers = platforms.flatMap((platform) => platform.layers);
    await Promise.all(layers.map((each) => source.fetch(each)));
    for (const { layers: made } of image.platforms.values()) {
      for (const { digest, bytes } of made) {
        expect(await readFile(tools.store.path(digest))).toEqual(bytes);
      }
    }
  });

  it('may have an absolute path', async () => {
    expect((await tools.open(`oci:${folder}`).resolve(both)).platforms).toHaveLength(2);
  });

  it('copies an OCI layout in a folder, so that the store does not change with it', async () => {
    const source = tools.open('oci:layout');
    await source.resolve(both);
    await source.fetch(named(layer));
    await appendFile(join(folder, blobPath(layer)), 'more');
    expect(await readFile(tools.store.path(layer.digest))).toEqual(layer.bytes);
    expect((await stat(tools.store.path(layer.digest))).nlink).toBe(1);
  });

  it('may have links instead of blobs, as some tools share them', async () => {
    const path = join(folder, blobPath(layer));
    await writeFile(join(tools.folder, 'shared'), layer.bytes);
    await rm(path);
    await symlink(join(tools.folder, 'shared'), path);
    const source = tools.open('oci:layout');
    await source.fetch(named(layer));
    expect(await readFile(tools.store.path(layer.digest))).toEqual(layer.bytes);
  });

  it('finds an image by name, including containerd names with colons', async () => {
    const name = 'docker.io/team/app:1';
    const entry = { ...named(image.index), annotations: { 'io.containerd.image.name': name } };
    const other = { ...named(amd64?.manifest ?? image.index), annotations: {} };
    const index = { schemaVersion: 2, manifests: [other, entry] };
    await writeFile(join(folder, 'index.json'), json(index));
    expect((await tools.open(`oci:layout:${name}`).resolve(both)).index.bytes).toEqual(
      image.index.bytes,
    );
    const error = await refusalOf(tools.open('oci:layout').resolve(both));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
    expect(error.hint).toContain(name);
  });
});

describe('an invalid layout', () => {
  const resolve = () => tools.open('oci:layout').resolve(both);

  it.each([
    ['does not exist', (path: string) => rm(path, { recursive: true }), 'IMAGE_SOURCE'],
    ['lacks oci-layout', (path: string) => rm(join(path, 'oci-layout')), 'IMAGE_SOURCE'],
    ['lacks index.json', (path: string) => rm(join(path, 'index.json')), 'IMAGE_SOURCE'],
    [
      'has a future version',
      (path: string) => writeFile(join(path, 'oci-layout'), '{"imageLayoutVersion":"2.0.0"}'),
      'IMAGE_SOURCE',
    ],
    [
      'has an empty index',
      (path: string) => writeFile(join(path, 'index.json'), '{"manifests":[]}'),
      'IMAGE_NOT_FOUND',
    ],
    [
      'has a broken index',
      (path: string) => writeFile(join(path, 'index.json'), '{'),
      'IMAGE_MANIFEST',
    ],
    [
      'has an index over 4 MiB',
      (path: string) => writeFile(join(path, 'index.json'), ' '.repeat(4 * 1024 * 1024 + 1)),
      'IMAGE_MANIFEST',
    ],
    ['lacks the manifest', (path: string) => rm(join(path, blobPath(image.index))), 'FILE_MISSING'],
    [
      'has another manifest with the same name',
      (path: string) =>
        writeFile(join(path, blobPath(image.index)), Buffer.alloc(image.index.size)),
      'BLOB_DIGEST',
    ],
    [
      'has a longer manifest with the same name',
      (path: string) => appendFile(join(path, blobPath(image.index)), ' '),
      'BLOB_SIZE',
    ],
  ] as const)('rejects an invalid OCI layout when it %s', async (_, spoil, code) => {
    await spoil(folder);
    expect((await refusalOf(resolve())).code).toBe(code);
  });

  it('rejects an OCI layout in which a blob is a folder', async () => {
    const path = join(folder, blobPath(image.index));
    await rm(path);
    await mkdir(path);
    expect((await refusalOf(resolve())).code).toBe('IMAGE_SOURCE');
  });

  it('rejects an OCI layout in which a blob is a pipe, without blocking', async () => {
    const path = join(folder, blobPath(layer));
    await rm(path);
    await promisify(execFile)('mkfifo', [path]);
    expect((await refusalOf(tools.open('oci:layout').fetch(named(layer)))).code).toBe(
      'IMAGE_SOURCE',
    );
  });

  it('cannot contain a nested index', async () => {
    const outer = json({
      schemaVersion: 2,
      mediaType: types.oci.index,
      manifests: [{ ...named(image.index), platform: { os: 'linux', architecture: 'amd64' } }],
    });
    const digest = digestOf(outer);
    const entry = { mediaType: types.oci.index, digest, size: outer.length };
    await writeFile(join(folder, 'blobs', 'sha256', digest.slice(7)), outer);
    await writeFile(join(folder, 'index.json'), json({ manifests: [entry] }));
    const error = await refusalOf(tools.open('oci:layout').resolve(['linux/amd64']));
    expect(error.code).toBe('IMAGE_MANIFEST');
    expect(error.message).toContain('a nested index');
  });
});
