import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Equipment, equip, refusalOf } from '../../../faulty-registry/equipment.ts';
import {
  makeImage,
  makeSingle,
  named,
  type TestBlob,
  type TestPlatformImage,
  types,
} from '../../../faulty-registry/make-image.ts';
import {
  blobPath,
  convertedManifest,
  json,
  legacyArchive,
  type Members,
  manifestEntry,
  modernArchive,
  ociLayout,
  tarOf,
} from './archives.ts';

const platforms = ['linux/amd64'] as const;
const both = ['linux/amd64', 'linux/arm64'] as const;

let tools: Equipment;

beforeEach(async () => {
  tools = await equip();
});

afterEach(() => tools.close());

async function save(members: Members): Promise<void> {
  await writeFile(join(tools.folder, 'image.tar'), await tarOf(members));
}

async function expectStored(blobs: readonly TestBlob[]): Promise<void> {
  for (const { digest, bytes } of blobs) {
    expect(await readFile(tools.store.path(digest))).toEqual(bytes);
  }
}

describe('a Docker archive', () => {
  const image = makeSingle({ compression: 'none', family: 'docker' });
  const twice = makeSingle({ compression: 'none', layers: ['base', 'program', 'base'] });

  const layouts: ReadonlyArray<readonly [string, TestPlatformImage, Members]> = [
    ['of old', image, legacyArchive(image)],
    ['of an old version with a duplicate layer', twice, legacyArchive(twice)],
    ['of skopeo, where layers are links', twice, legacyArchive(twice, ['team/app:1'], 'file')],
    ['of today', image, modernArchive(image)],
    ['of a current version, documents first', image, [...modernArchive(image)].reverse()],
    ['without any name', image, modernArchive(image, null)],
  ];

  it.each(layouts)('%s becomes an OCI image', async (_, made, members) => {
    await save(members);
    const source = tools.open('docker-archive:image.tar');
    const { index, platforms: found } = await source.resolve(platforms);
    const expected = convertedManifest(made);
    expect(index.bytes).toEqual(expected.bytes);
    expect(index.descriptor).toEqual(named(expected));
    expect(found[0]?.manifest).toEqual(index);
    expect(found[0]?.config.bytes).toEqual(made.config.bytes);
    for (const layer of found[0]?.layers ?? []) await source.fetch(layer);
    await expectStored([...made.layers, expected, made.config]);
  });

  it('gives the same manifest for every layout and every run', async () => {
    const digests = new Set<string>();
    for (const members of [legacyArchive(image), modernArchive(image), modernArchive(image)]) {
      await save(members);
      tools = await tools.again();
      const { index } = await tools.open('docker-archive:image.tar').resolve(platforms);
      digests.add(index.descriptor.digest);
    }
    expect(digests.size).toBe(1);
  });

  it('with compressed layers keeps the original manifest', async () => {
    const pulled = makeImage({ compression: 'gzip' });
    const amd64 = pulled.platforms.get('linux/amd64');
    if (!amd64) throw new Error('the image has amd64');
    await save(modernArchive(amd64, ['team/app:1'], pulled.index));
    const source = tools.open('docker-archive:image.tar:team/app:1');
    const { index, platforms: found } = await source.resolve(platforms);
    expect(index.bytes).toEqual(amd64.manifest.bytes);
    expect(found[0]?.layers).toEqual(amd64.layers.map(named));
  });

  it('with compressed layers and no manifest is rejected', async () => {
    const packed = makeSingle({ compression: 'gzip' });
    await save(legacyArchive(packed));
    const error = await refusalOf(tools.open('docker-archive:image.tar').resolve(platforms));
    expect(error.code).toBe('IMAGE_SOURCE');
    expect(error.hint).toContain('docker save');
  });

  it('with fewer layers than its configuration is rejected', async () => {
    const entry = { ...manifestEntry(image, null), Layers: image.layers.slice(0, 1).map(blobPath) };
    const blobs = [image.config, ...image.layers].map(
      (blob) => [blobPath(blob), blob.bytes] as const,
    );
    await save([...blobs, ['manifest.json', json([entry])]]);
    const error = await refusalOf(tools.open('docker-archive:image.tar').resolve(platforms));
    expect(error.code).toBe('IMAGE_SOURCE');
  });

  it('with a modified layer is rejected', async () => {
    const members = legacyArchive(image).map(([name, member]) =>
      name === 'a1234/layer.tar' ? ([name, 'another layer'] as const) : ([name, member] as const),
    );
    await save(members);
    const error = await refusalOf(tools.open('docker-archive:image.tar').resolve(platforms));
    expect(error.code).toBe('IMAGE_SOURCE');
    expect(error.message).toContain('do not match the digests');
  });

  it('resolves a Docker archive only for the platform of its configuration', async () => {
    await save(modernArchive(image));
    const source = tools.open('docker-archive:image.tar');
    expect((await refusalOf(source.resolve(both))).code).toBe('IMAGE_NOT_INDEX');
    expect((await refusalOf(source.resolve(['linux/arm64']))).code).toBe('IMAGE_PLATFORM');
  });

  describe('with several images', () => {
    const other = makeSingle({ compression: 'none', layers: ['other'] });
    const members: Members = [
      ...[image, other].flatMap(({ config, layers }) =>
        [config, ...layers].map((blob) => [blobPath(blob), blob.bytes] as const),
      ),
      [
        'manifest.json',
        json([
          manifestEntry(image, ['team/app:1', 'NOT A NAME']),
          manifestEntry(other, ['team/app:2', 'nginx:1']),
        ]),
      ],
    ];

    beforeEach(() => save(members));

    it.each([
      ['team/app:1', image],
      ['docker.io/team/app:2', other],
      ['library/nginx:1', other],
    ])('finds %s', async (name, expected) => {
      const { index } = await tools.open(`docker-archive:image.tar:${name}`).resolve(platforms);
      expect(index.bytes).toEqual(convertedManifest(expected).bytes);
    });

    it.each([
      ['no name', '', 'more than one'],
      ['a missing name', ':team/app:3', 'has no image docker.io/team/app:3'],
    ])('asks for %s', async (_, suffix, text) => {
      const source = tools.open(`docker-archive:image.tar${suffix}`);
      const error = await refusalOf(source.resolve(platforms));
      expect(error.code).toBe('IMAGE_NOT_FOUND');
      expect(error.message).toContain(text);
      expect(error.hint).toContain('team/app:1, NOT A NAME, team/app:2, nginx:1');
    });
  });

  it.each([
    [
      'has no layer',
      json([{ Config: blobPath(image.config), Layers: ['no/layer.tar'] }]),
      'IMAGE_SOURCE',
    ],
    ['has no configuration', json([{ Config: 'no.json', Layers: [] }]), 'IMAGE_SOURCE'],
    ['has invalid entries', json([{}]), 'IMAGE_MANIFEST'],
    ['is not a list', json({}), 'IMAGE_MANIFEST'],
    ['is not JSON', '[', 'IMAGE_MANIFEST'],
    ['is empty', json([]), 'IMAGE_NOT_FOUND'],
    ['is larger than 4 MiB', Buffer.alloc(4 * 1024 * 1024 + 1, 0x20), 'IMAGE_MANIFEST'],
  ] as const)('whose manifest.json %s is rejected', async (_, manifest, code) => {
    await save([
      [blobPath(image.config), image.config.bytes],
      ['manifest.json', manifest],
    ]);
    const error = await refusalOf(tools.open('docker-archive:image.tar').resolve(platforms));
    expect(error.code).toBe(code);
  });

  it('with circular links is rejected', async () => {
    await save([
      [blobPath(image.config), image.config.bytes],
      ['a/layer.tar', { type: 'symlink', linkname: '../b/layer.tar' }],
      ['b/layer.tar', { type: 'symlink', linkname: '../a/layer.tar' }],
      ['manifest.json', json([{ Config: blobPath(image.config), Layers: ['a/layer.tar'] }])],
    ]);
    const error = await refusalOf(tools.open('docker-archive:image.tar').resolve(platforms));
    expect(error.message).toContain('does not contain a/layer.tar');
  });

  it('rejects an OCI archive as a Docker archive, and hints at oci-archive:', async () => {
    await save(ociLayout(image));
    const error = await refusalOf(tools.open('docker-archive:image.tar').resolve(platforms));
    expect(error.hint).toContain('oci-archive:');
  });
});

describe('an OCI archive', () => {
  const image = makeImage({ compression: 'zstd' });

  it('returns its content byte for byte', async () => {
    await save(ociLayout(image));
    const source = tools.open('oci-archive:image.tar');
    const { index, platforms: found } = await source.resolve(both);
    expect(index.bytes).toEqual(image.index.bytes);
    for (const layer of found.flatMap(({ layers }) => layers)) await source.fetch(layer);
    await expectStored([...image.platforms.values()].flatMap(({ layers }) => layers));
  });

  it('finds an image by name', async () => {
    await save(ociLayout(image, ['v1', 'latest']));
    const { index } = await tools.open('oci-archive:image.tar:v1').resolve(both);
    expect(index.bytes).toEqual(image.index.bytes);
    const error = await refusalOf(tools.open('oci-archive:image.tar:v2').resolve(both));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
    expect(error.hint).toContain('v1, latest');
  });

  it('may lack platforms that are not requested', async () => {
    const arm64 = image.platforms.get('linux/arm64/v8');
    const missing = new Set(arm64?.layers.map(blobPath));
    await save(ociLayout(image).filter(([name]) => !missing.has(name)));
    const amd64 = tools.open('oci-archive:image.tar');
    for (const layer of (await amd64.resolve(platforms)).platforms[0]?.layers ?? []) {
      await amd64.fetch(layer);
    }
    const layer = arm64?.layers[0];
    if (!layer) throw new Error('the image has layers');
    const error = await refusalOf(amd64.fetch(named(layer)));
    expect(error.code).toBe('IMAGE_SOURCE');
    expect(error.message).toContain(layer.digest);
  });

  it('with a blob that does not match its name is rejected and not kept', async () => {
    const members = ociLayout(image).map(([name, member]) =>
      name.startsWith('blobs/') ? ([name, 'something else'] as const) : ([name, member] as const),
    );
    await save(members);
    const error = await refusalOf(tools.open('oci-archive:image.tar').resolve(both));
    expect(error.code).toBe('BLOB_DIGEST');
    expect(await readdir(join(tools.store.folder, 'blobs', 'sha256'))).toEqual([]);
    expect(await readdir(join(tools.store.folder, 'partial'))).toEqual([]);
  });

  it.each([
    ['without oci-layout', ['oci-layout']],
    ['without index.json', ['index.json']],
  ])('rejects an incomplete OCI archive: %s', async (_, missing) => {
    await save(ociLayout(image).filter(([name]) => !missing.includes(name)));
    const error = await refusalOf(tools.open('oci-archive:image.tar').resolve(both));
    expect(error.code).toBe('IMAGE_SOURCE');
  });

  it('reads an OCI archive once, and hashes no stored blob again', async () => {
    await save(ociLayout(image));
    await tools.open('oci-archive:image.tar').resolve(both);
    tools = await tools.again();
    const source = tools.open('oci-archive:image.tar');
    await source.resolve(both);
    await source.resolve(platforms);
    expect(tools.statistics.hashed).toBe(0);
    const total = [
      image.index,
      ...[...image.platforms.values()].flatMap((each) => [
        each.manifest,
        each.config,
        ...each.layers,
      ]),
    ].reduce((sum, { size }) => sum + size, 0);
    expect(tools.statistics.fromCache).toBe(total);
  });
});

describe('a file that is not an archive', () => {
  const image = makeSingle({ compression: 'none' });
  const path = () => join(tools.folder, 'image.tar');
  const resolve = () => tools.open('oci-archive:image.tar').resolve(platforms);

  it('reports a missing image archive with its path', async () => {
    const error = await refusalOf(resolve());
    expect(error.code).toBe('FILE_MISSING');
    expect(error.message).toContain(path());
  });

  it('rejects a folder as an image archive, and hints at oci:', async () => {
    const error = await refusalOf(tools.open('oci-archive:.').resolve(platforms));
    expect(error.code).toBe('IMAGE_SOURCE');
    expect(error.hint).toContain('oci:');
  });

  it.each([
    ['gzip', gzipSync, 'gunzip'],
    ['zstd', zstdCompressSync, 'unzstd'],
  ])(
    'compressed with %s is rejected with the command to decompress it',
    async (_, compress, program) => {
      await writeFile(path(), compress(await tarOf(ociLayout(image))));
      const error = await refusalOf(resolve());
      expect(error.code).toBe('IMAGE_SOURCE');
      expect(error.hint).toContain(`${program} <`);
    },
  );

  it.each([
    ['text', Buffer.from('This is not a tar archive. '.repeat(100))],
    ['a single block of noise', Buffer.alloc(512, 0x5a)],
  ])('rejects an image archive without entries: %s', async (_, content) => {
    await writeFile(path(), content);
    expect((await refusalOf(resolve())).code).toBe('IMAGE_SOURCE');
  });

  it.each([
    ['empty', 0],
    ['only zeros', 10_240],
  ])('rejects an image archive without entries: %s', async (_, size) => {
    await writeFile(path(), Buffer.alloc(size));
    expect((await refusalOf(resolve())).code).toBe('IMAGE_SOURCE');
  });

  it('rejects an image archive that is truncated at any point', async () => {
    const whole = await tarOf(ociLayout(image));
    const end = whole.length - 1024;
    const step = 1 + Math.floor(end / 40);
    for (let length = 1; length < end; length += step) {
      await writeFile(path(), whole.subarray(0, length));
      tools = await tools.again();
      const error = await refusalOf(resolve());
      expect(['IMAGE_SOURCE', 'BLOB_SIZE']).toContain(error.code);
    }
    expect(await readdir(join(tools.store.folder, 'partial'))).toEqual([]);
  });
});

describe('a malicious archive', () => {
  const plain = 'content';
  const hostile: ReadonlyArray<readonly [string, Members]> = [
    ['a name that escapes with ..', [['../evil', plain]]],
    ['a name that escapes from within', [['blobs/../../evil', plain]]],
    ['an absolute name', [['/etc/cron.d/evil', plain]]],
    ['a name with an empty component', [['blobs//evil', plain]]],
    ['a name with a dot component', [['blobs/./evil', plain]]],
    ['a name with a backslash', [['blobs\\..\\evil', plain]]],
    ['a name with a line break', [['blobs/ev\nil', plain]]],
    ['a name that is too long', [[`blobs/${'x'.repeat(2000)}`, plain]]],
    [
      'a duplicate name',
      [
        ['index.json', '{}'],
        ['index.json', '{}'],
      ],
    ],
    [
      'a duplicate name in two spellings',
      [
        ['index.json', '{}'],
        ['./index.json', '{}'],
      ],
    ],
    [
      'a file and a link with one name',
      [
        ['a/layer.tar', plain],
        ['a/layer.tar', { type: 'symlink', linkname: 'b' }],
      ],
    ],
    ['a link as a document', [['index.json', { type: 'symlink', linkname: 'blobs/x' }]]],
    ['a link as a blob', [[`blobs/sha256/${'a'.repeat(64)}`, { type: 'symlink', linkname: 'x' }]]],
    [
      'a link that escapes with ..',
      [['a/layer.tar', { type: 'symlink', linkname: '../../etc/shadow' }]],
    ],
    ['an absolute link', [['a/layer.tar', { type: 'symlink', linkname: '/etc/shadow' }]]],
    [
      'a hard link that escapes with ..',
      [['a/layer.tar', { type: 'link', linkname: '../etc/shadow' }]],
    ],
    ['an empty link', [['a/layer.tar', { type: 'link', linkname: '' }]]],
    ['a device', [['a/layer.tar', { type: 'block-device', devmajor: 8, devminor: 0 }]]],
    ['a pipe', [['a/layer.tar', { type: 'fifo' }]]],
  ];

  it.each(hostile)('with %s is rejected', async (_, members) => {
    await save([...members, ...ociLayout(makeSingle({ compression: 'none' }))]);
    for (const transport of ['oci-archive', 'docker-archive']) {
      const error = await refusalOf(tools.open(`${transport}:image.tar`).resolve(platforms));
      expect(error.code).toBe('IMAGE_SOURCE');
      expect(error.hint).toBeTruthy();
    }
  });

  it('with a member of an unknown type is rejected', async () => {
    const bytes = await tarOf([['sparse', plain]]);
    await writeFile(join(tools.folder, 'image.tar'), retyped(bytes, 'S'));
    const error = await refusalOf(tools.open('oci-archive:image.tar').resolve(platforms));
    expect(error.message).toContain('neither a file nor a link');
  });

  it('with a negative size is rejected', async () => {
    const bytes = await tarOf([['blob', plain]]);
    bytes.fill(0xff, 124, 136);
    await writeFile(join(tools.folder, 'image.tar'), rechecked(bytes));
    const error = await refusalOf(tools.open('oci-archive:image.tar').resolve(platforms));
    expect(error.code).toBe('IMAGE_SOURCE');
  });

  it('with a wrong size is rejected', async () => {
    const bytes = await tarOf([['blob', plain]]);
    bytes.write('77777777777\0', 124, 'latin1');
    await writeFile(join(tools.folder, 'image.tar'), rechecked(bytes));
    const error = await refusalOf(tools.open('oci-archive:image.tar').resolve(platforms));
    expect(error.code).toBe('IMAGE_SOURCE');
    expect(await readdir(join(tools.store.folder, 'partial'))).toEqual([]);
  });

  it('with too many members is rejected', async () => {
    const members = Array.from({ length: 16_385 }, (_, at) => [`${at}/json`, ''] as const);
    await save(members);
    const error = await refusalOf(tools.open('oci-archive:image.tar').resolve(platforms));
    expect(error.message).toContain('more than 16384 members');
  });

  it('cannot disguise a foreign document as an image', async () => {
    const image = makeSingle({
      manifest: (manifest) => ({
        ...manifest,
        config: { ...(manifest.config as object), urls: ['https://example.com'] },
      }),
    });
    await save(ociLayout(image));
    const error = await refusalOf(tools.open('oci-archive:image.tar').resolve(platforms));
    expect(error.code).toBe('IMAGE_FOREIGN_LAYER');
    expect(types.oci.manifest).toBe(image.manifest.mediaType);
  });
});

/** Returns the archive with another type for its first member. */
function retyped(bytes: Buffer, type: string): Buffer {
  bytes.write(type, 156, 'latin1');
  return rechecked(bytes);
}

/** Fixes the checksum of the first header. */
function rechecked(bytes: Buffer): Buffer {
  bytes.fill(0x20, 148, 156);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}
