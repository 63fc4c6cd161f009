import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { maxDocumentBytes, readDocument } from '../../../../builder/inputs/registry/document.ts';
import {
  readConfig,
  readIndex,
  readManifest,
} from '../../../../builder/inputs/registry/image-documents.ts';
import { refusalOf } from '../../../faulty-registry/equipment.ts';
import { makeImage, makeSingle, types } from '../../../faulty-registry/make-image.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const digest = `sha256:${'a'.repeat(64)}`;
const { oci, docker } = types;

describe('the kind of a document', () => {
  const index = { schemaVersion: 2, manifests: [] };
  const manifest = { schemaVersion: 2, config: {}, layers: [] };

  it.each([
    [
      'an index with a media type',
      { ...index, mediaType: oci.index },
      oci.index,
      'index',
      oci.index,
    ],
    [
      'a Docker manifest list',
      { ...index, mediaType: docker.index },
      docker.index,
      'index',
      docker.index,
    ],
    ['an index without a media type', index, oci.index, 'index', oci.index],
    ['a manifest without a media type', manifest, oci.manifest, 'manifest', oci.manifest],
    [
      'a manifest without a transport type',
      { ...manifest, mediaType: docker.manifest },
      'text/plain',
      'manifest',
      docker.manifest,
    ],
    ['an index without any type', index, undefined, 'index', oci.index],
    ['a manifest without any type', manifest, 'application/json', 'manifest', oci.manifest],
  ])('detects the kind of a document: %s', (_, value, type, kind, mediaType) => {
    expect(readDocument(bytes(value), type, 'x')).toMatchObject({ kind, mediaType });
  });

  it.each([
    ['JSON of another kind', [], undefined, 'is not an image manifest'],
    ['null', null, undefined, 'is not an image manifest'],
    ['no version', { manifests: [] }, undefined, 'is not an image manifest'],
    ['a future version', { ...index, schemaVersion: 3 }, undefined, 'is not an image manifest'],
    ['schema 1 by its version', { schemaVersion: 1 }, undefined, 'schema 1'],
    [
      'schema 1 by its transport type',
      index,
      'application/vnd.docker.distribution.manifest.v1+prettyjws',
      'schema 1',
    ],
    [
      'schema 1 by its media type',
      { ...index, mediaType: 'application/vnd.docker.distribution.manifest.v1+json' },
      undefined,
      'schema 1',
    ],
    [
      'both an index and a manifest',
      { ...index, ...manifest },
      undefined,
      'both an index and a manifest',
    ],
    ['an index with layers', { ...index, layers: [] }, oci.index, 'both an index and a manifest'],
    ['a manifest announced as an index', manifest, oci.index, 'not a container image'],
    ['an index announced as a manifest', index, oci.manifest, 'not a container image'],
    [
      'an index with the media type of a manifest',
      { ...index, mediaType: oci.manifest },
      undefined,
      'not a container image',
    ],
    [
      'a transport type that differs from the media type',
      { ...index, mediaType: oci.index },
      docker.index,
      'a different media type',
    ],
    [
      'an artifact',
      { ...manifest, mediaType: 'application/vnd.oci.artifact.manifest.v1+json' },
      undefined,
      'not a container image',
    ],
  ])('rejects a document of an unsupported kind: %s', async (_, value, type, text) => {
    const error = await refusalOf(() => readDocument(bytes(value), type, 'x'));
    expect(error.code).toBe('IMAGE_MANIFEST');
    expect(error.message).toContain(text);
  });

  it('rejects a document of more than 4 MiB before detecting its kind', async () => {
    const large = Buffer.alloc(maxDocumentBytes + 1, 0x20);
    large.write('{}');
    expect((await refusalOf(() => readDocument(large, undefined, 'x'))).message).toContain('4 MiB');
  });

  it('rejects a document of deeply nested brackets', async () => {
    const deep = Buffer.from('['.repeat(1_000_000));
    expect((await refusalOf(() => readDocument(deep, undefined, 'x'))).code).toBe('IMAGE_MANIFEST');
  });
});

describe('a manifest', () => {
  const good = JSON.parse(makeSingle().manifest.bytes.toString());

  it('may have unknown keys', () => {
    const layers = good.layers.map((layer: object) => ({
      ...layer,
      annotations: { a: 'b' },
      new: 1,
    }));
    const read = readManifest({ ...good, layers, subject: {}, annotations: {}, new: 1 }, 'x');
    expect(read).toEqual(readManifest(good, 'x'));
  });

  it.each([
    ['no layers', { layers: [] }],
    ['no layers at all', { layers: undefined }],
    ['no configuration', { config: undefined }],
    [
      'a digest of another kind',
      { config: { ...good.config, digest: `sha512:${'a'.repeat(128)}` } },
    ],
    ['a digest in capitals', { config: { ...good.config, digest: digest.toUpperCase() } }],
    ['a digest with a path', { config: { ...good.config, digest: 'sha256:../../etc/passwd' } }],
    ['a negative size', { config: { ...good.config, size: -1 } }],
    ['a fractional size', { config: { ...good.config, size: 0.5 } }],
    ['a size beyond safe integers', { config: { ...good.config, size: 1e20 } }],
    ['a configuration over 4 MiB', { config: { ...good.config, size: maxDocumentBytes + 1 } }],
    [
      'an artifact as its configuration',
      { config: { ...good.config, mediaType: 'application/vnd.cncf.helm.config.v1+json' } },
    ],
    [
      'a layer of an unknown type',
      {
        layers: [
          { ...good.layers[0], mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip+encrypted' },
        ],
      },
    ],
    ['too many layers', { layers: Array(1025).fill(good.layers[0]) }],
  ])('rejects an image manifest with %s', async (_, change) => {
    const error = await refusalOf(() => readManifest({ ...good, ...change }, 'x'));
    expect(error.code).toBe('IMAGE_MANIFEST');
    expect(error.hint).toBeTruthy();
  });

  it('reports all its problems together', async () => {
    const layers = [
      { ...good.layers[0], size: -1 },
      { ...good.layers[0], digest: 'x' },
    ];
    const error = await refusalOf(() => readManifest({ ...good, layers }, 'x'));
    expect(error.problems.map(({ message }) => message.split(':')[0])).toEqual([
      'layers.0.size',
      'layers.1.digest',
    ]);
  });

  it.each([
    [
      'a Windows layer',
      { mediaType: 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip' },
      'foreign',
    ],
    [
      'a non-distributable layer',
      { mediaType: 'application/vnd.oci.image.layer.nondistributable.v1.tar+gzip' },
      'nondistributable',
    ],
    ['a layer with a URL', { urls: ['http://169.254.169.254/'] }, '169.254.169.254'],
  ])('rejects an image manifest with %s, and prints the reason', async (_, change, reason) => {
    const layers = good.layers.map((layer: object) => ({ ...layer, ...change }));
    const error = await refusalOf(() => readManifest({ ...good, layers }, 'x'));
    expect(error.code).toBe('IMAGE_FOREIGN_LAYER');
    expect(error.problems).toHaveLength(2);
    expect(error.problems[0]?.message).toContain(reason);
  });

  it('may have an empty list of URLs, or null', () => {
    const layers = good.layers.map((layer: object, at: number) => ({
      ...layer,
      urls: at ? [] : null,
    }));
    expect(readManifest({ ...good, layers }, 'x').layers).toHaveLength(2);
  });

  it('rejects an image manifest with a URL for its configuration', async () => {
    const config = { ...good.config, urls: ['https://example.com'] };
    const error = await refusalOf(() => readManifest({ ...good, config }, 'x'));
    expect(error.code).toBe('IMAGE_FOREIGN_LAYER');
  });
});

describe('an index', () => {
  it('keeps platform and annotations of its entries', () => {
    const value = JSON.parse(makeImage({ attested: true }).index.bytes.toString());
    const entries = readIndex(value, 'x');
    expect(entries.map(({ platform }) => platform)).toEqual([
      { os: 'linux', architecture: 'amd64', variant: undefined },
      { os: 'linux', architecture: 'arm64', variant: 'v8' },
      { os: 'unknown', architecture: 'unknown', variant: undefined },
    ]);
    expect(entries[2]?.annotations).toEqual({
      'vnd.docker.reference.type': 'attestation-manifest',
    });
  });

  it('may have entries without a platform, and an empty variant', () => {
    const entry = { mediaType: oci.manifest, digest, size: 1 };
    const platform = { os: 'linux', architecture: 'amd64', variant: '' };
    const manifests = [
      entry,
      { ...entry, platform: null, annotations: null },
      { ...entry, platform },
    ];
    expect(readIndex({ manifests }, 'x').map((each) => each.platform)).toEqual([
      undefined,
      undefined,
      { os: 'linux', architecture: 'amd64', variant: undefined },
    ]);
  });

  it.each([
    ['no entries at all', {}],
    ['an entry without a digest', { manifests: [{ mediaType: 'x', size: 1 }] }],
    [
      'a platform without an operating system',
      { manifests: [{ mediaType: 'x', size: 1, digest, platform: {} }] },
    ],
    ['too many entries', { manifests: Array(1025).fill({ mediaType: 'x', size: 1, digest }) }],
  ])('rejects an image index with %s', async (_, value) => {
    expect((await refusalOf(() => readIndex(value, 'x'))).code).toBe('IMAGE_MANIFEST');
  });
});

describe('a configuration', () => {
  const good = {
    os: 'linux',
    architecture: 'amd64',
    rootfs: { type: 'layers', diff_ids: [digest] },
  };

  it('returns the fields that must agree with the manifest', () => {
    expect(readConfig(bytes({ ...good, variant: 'v8', history: [] }), 'x')).toEqual({
      os: 'linux',
      architecture: 'amd64',
      variant: 'v8',
      diffIds: [digest],
    });
  });

  it.each([
    ['no system', { os: undefined }],
    ['no layers', { rootfs: undefined }],
    ['layers of another kind', { rootfs: { type: 'base', diff_ids: [] } }],
    ['a layer without a digest', { rootfs: { type: 'layers', diff_ids: ['x'] } }],
  ])('rejects an image configuration with %s', async (_, change) => {
    const error = await refusalOf(() => readConfig(bytes({ ...good, ...change }), 'x'));
    expect(error.code).toBe('IMAGE_MANIFEST');
  });
});

describe('any JSON', () => {
  it('parses any JSON document or rejects it with a printable message', () => {
    const reads = [
      (value: unknown) => readDocument(bytes(value), undefined, 'x'),
      (value: unknown) => readManifest(value, 'x'),
      (value: unknown) => readIndex(value, 'x'),
      (value: unknown) => readConfig(bytes(value), 'x'),
    ];
    const key = fc.constantFrom('schemaVersion', 'mediaType', 'manifests', 'config', 'layers', 'x');
    const value = fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue()));
    fc.assert(
      fc.property(fc.constantFrom(...reads), value, (read, given) => {
        try {
          read(given);
        } catch (error) {
          if (!(error instanceof LandfallError)) throw error;
          expect(error.code).toBe('IMAGE_MANIFEST');
          // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression detects control characters
          expect(error.message + JSON.stringify(error.problems)).not.toMatch(/[\u0000-\u001f]/);
        }
      }),
    );
  });
});
