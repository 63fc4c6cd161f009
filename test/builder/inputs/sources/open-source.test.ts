import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Equipment, equip, refusalOf } from '../../../faulty-registry/equipment.ts';
import { FaultyRegistry } from '../../../faulty-registry/faulty-registry.ts';
import { makeImage, makeSingle, named, types } from '../../../faulty-registry/make-image.ts';
import {
  cutAfter,
  cutOnceRead,
  endless,
  html,
  inTurn,
  redirect,
  serve,
  short,
  status,
  tooManyRequests,
  wrongBytes,
} from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';

let registry: FaultyRegistry;
let tools: Equipment;

beforeEach(async () => {
  registry = await FaultyRegistry.start();
  tools = await equip();
});

afterEach(async () => {
  await tools.close();
  await registry.close();
});

const both = ['linux/amd64', 'linux/arm64'] as const;

function open(name: string, equipment = tools) {
  return equipment.open(`${registry.host}/${name}`);
}

describe.each(['oci', 'docker'] as const)('an image of the %s family', (family) => {
  it.each(['none', 'gzip', 'zstd'] as const)(
    'stores an image byte for byte, with layers of compression %s',
    async (kind) => {
      const image = makeImage({ family, compression: kind });
      registry.push('team/app:1', image);
      const source = open('team/app:1');
      const resolved = await source.resolve(both);
      expect(resolved.index.bytes).toEqual(image.index.bytes);
      expect(resolved.index.descriptor).toEqual(named(image.index));
      const [amd64] = resolved.platforms;
      const made = image.platforms.get('linux/amd64');
      expect(amd64?.manifest.bytes).toEqual(made?.manifest.bytes);
      expect(amd64?.config.bytes).toEqual(made?.config.bytes);
      expect(amd64?.layers).toEqual(made?.layers.map(named));
      for (const layer of made?.layers ?? []) {
        await source.fetch(named(layer));
        expect(await readFile(tools.store.path(layer.digest))).toEqual(layer.bytes);
      }
    },
  );
});

describe('the platforms of an image', () => {
  it('returns the platforms of an image in the requested order', async () => {
    registry.push('team/app:1', makeImage());
    const { platforms } = await open('team/app:1').resolve(['linux/arm64', 'linux/amd64']);
    expect(platforms.map(({ platform }) => platform)).toEqual(['linux/arm64', 'linux/amd64']);
  });

  it('ignore the manifests of attestations', async () => {
    const image = makeImage({ attested: true });
    registry.push('team/app:1', image);
    const { platforms } = await open('team/app:1').resolve(both);
    expect(platforms).toHaveLength(2);
    expect(registry.seen()).toHaveLength(2 + 4);
  });

  it('include arm64 with and without variant v8', async () => {
    registry.push('team/plain:1', makeImage({ platforms: ['linux/amd64', 'linux/arm64'] }));
    const { platforms } = await open('team/plain:1').resolve(['linux/arm64']);
    expect(platforms[0]?.platform).toBe('linux/arm64');
  });

  it('rejects an image by name if a platform is missing, with the available ones', async () => {
    registry.push(
      'team/app:1',
      makeImage({ platforms: ['linux/amd64', 'linux/arm/v7'], attested: true }),
    );
    const error = await refusalOf(open('team/app:1').resolve(both));
    expect(error.code).toBe('IMAGE_PLATFORM');
    expect(error.message).toContain('linux/arm64');
    expect(error.hint).toContain('linux/amd64, linux/arm/v7)');
    expect(error.hint).not.toContain('unknown');
  });

  it('exclude builds for newer processors only', async () => {
    registry.push('team/app:1', makeImage({ platforms: ['linux/amd64/v3'] }));
    const error = await refusalOf(open('team/app:1').resolve(['linux/amd64']));
    expect(error.code).toBe('IMAGE_PLATFORM');
    expect(error.hint).toContain('linux/amd64/v3');
  });

  it('must match their configuration', async () => {
    const image = makeImage({ config: (config) => ({ ...config, architecture: 's390x' }) });
    registry.push('team/app:1', image);
    const error = await refusalOf(open('team/app:1').resolve(['linux/amd64']));
    expect(error.code).toBe('IMAGE_MANIFEST');
    expect(error.message).toContain('built for linux/s390x');
  });
});

describe('an image of a single platform', () => {
  const single = makeSingle();

  it('accepts an image of a single platform for that platform, as its own index', async () => {
    registry.push('team/app:1', single);
    const { index, platforms } = await open('team/app:1').resolve(['linux/amd64']);
    expect(index.descriptor).toEqual(named(single.manifest));
    expect(platforms[0]?.manifest.bytes).toEqual(single.manifest.bytes);
  });

  it('rejects an image of a single platform for several platforms', async () => {
    registry.push('team/app:1', single);
    const error = await refusalOf(open('team/app:1').resolve(both));
    expect(error.code).toBe('IMAGE_NOT_INDEX');
    expect(error.hint).toContain('linux/amd64 and linux/arm64');
  });

  it('rejects an image of a single platform by digest as well', async () => {
    registry.push('team/app', single);
    const name = `team/app@${single.manifest.digest}`;
    expect((await refusalOf(open(name).resolve(both))).code).toBe('IMAGE_NOT_INDEX');
  });

  it('rejects an image of a single platform that was built for another platform', async () => {
    registry.push('team/app:1', single);
    const error = await refusalOf(open('team/app:1').resolve(['linux/arm64']));
    expect(error.code).toBe('IMAGE_PLATFORM');
    expect(error.hint).toContain('linux/amd64');
  });
});

describe('a pinned image', () => {
  it('requests a pinned image by digest, whatever the tag refers to', async () => {
    const old = makeImage({ layers: ['old'] });
    registry.push('team/app:1', old);
    registry.push('team/app:1', makeImage({ layers: ['new'] }));
    const { index } = await open(`team/app:1@${old.index.digest}`).resolve(both);
    expect(index.bytes).toEqual(old.index.bytes);
    expect(registry.paths()[0]).toBe(`GET /v2/team/app/manifests/${old.index.digest}`);
    expect(registry.paths().filter((path) => path.endsWith('/manifests/1'))).toEqual([]);
  });

  it('reads a pinned image from the store the second time', async () => {
    const image = makeImage();
    registry.push('team/app:1', image);
    const name = `team/app:1@${image.index.digest}`;
    await open(name).resolve(both);
    const asked = registry.seen().length;
    tools = await tools.again();
    const { platforms } = await open(name).resolve(both);
    expect(platforms).toHaveLength(2);
    expect(registry.seen()).toHaveLength(asked);
  });

  it('downloads a pinned image again if the copy in the store is damaged', async () => {
    const image = makeImage();
    registry.push('team/app:1', image);
    const name = `team/app@${image.index.digest}`;
    await open(name).resolve(both);
    await writeFile(tools.store.path(image.index.digest), 'something else');
    tools = await tools.again();
    expect((await open(name).resolve(both)).index.bytes).toEqual(image.index.bytes);
  });
});

describe('a tag', () => {
  it('needs one HEAD request if its index is stored', async () => {
    registry.push('team/app:1', makeImage());
    await open('team/app:1').resolve(both);
    tools = await tools.again();
    const before = registry.seen().length;
    await open('team/app:1').resolve(both);
    expect(registry.paths().slice(before)).toEqual(['HEAD /v2/team/app/manifests/1']);
  });

  it('downloads a tag from a registry that does not announce digests', async () => {
    await registry.close();
    registry = await FaultyRegistry.start({ announces: false });
    const image = makeImage();
    registry.push('team/app:1', image);
    expect((await open('team/app:1').resolve(both)).index.descriptor).toEqual(named(image.index));
  });

  it('rejects a tag that does not match the announced digest', async () => {
    const image = makeImage();
    registry.push('team/app:1', image);
    const headers = { 'docker-content-digest': `sha256:${'0'.repeat(64)}` };
    const other = serve(image.index.bytes, { type: image.index.mediaType, headers });
    registry.fault('/v2/team/app/manifests/1', other);
    expect((await refusalOf(open('team/app:1').resolve(both))).code).toBe('BLOB_DIGEST');
  });
});

describe('a missing image', () => {
  it('reports a missing image by its name, and hints at its tag', async () => {
    const error = await refusalOf(open('team/app:9').resolve(both));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
    expect(error.message).toContain('team/app:9');
    expect(error.hint).toContain('the tag');
  });

  it('hints at the registry of a missing image if the response is unexpected', async () => {
    registry.fault('/v2/team/app/manifests/9', status(404, { 'content-type': 'text/html' }, 'no'));
    const error = await refusalOf(open('team/app:9').resolve(both));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
    expect(error.hint).toContain(`${registry.host} is a registry`);
  });

  it('reports an image as missing or private after a 403', async () => {
    registry.fault('/v2/team/app/manifests/9', status(403));
    const error = await refusalOf(open('team/app:9').resolve(both));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
    expect(error.message).toContain('does not exist or is private');
  });

  it('reports no missing image if only a layer is missing', async () => {
    const image = makeImage();
    registry.push('team/app:1', image);
    const layer = image.platforms.get('linux/amd64')?.layers[0];
    if (!layer) throw new Error('the image has layers');
    registry.fault(`/v2/team/app/blobs/${layer.digest}`, status(404));
    const source = open('team/app:1');
    await source.resolve(both);
    const error = await refusalOf(source.fetch(named(layer)));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
    expect(error.message).toContain(layer.digest.slice(0, 19));
  });
});

describe('a misbehaving registry', () => {
  const path = '/v2/team/app/manifests/1';
  const image = makeImage();
  const layer = image.platforms.get('linux/amd64')?.layers[0] ?? image.index;
  const layerPath = `/v2/team/app/blobs/${layer.digest}`;

  beforeEach(() => registry.push('team/app:1', image));

  const manifestFaults = [
    ['a login page', html(), 'REGISTRY_PROTOCOL'],
    ['a login page to a redirect', redirect('/login'), 'REGISTRY_PROTOCOL'],
    ['an empty response', serve(Buffer.alloc(0), { type: types.oci.index }), 'IMAGE_MANIFEST'],
    ['invalid JSON', serve(Buffer.from('{')), 'IMAGE_MANIFEST'],
    ['JSON that is not a manifest', serve(Buffer.from('[]')), 'IMAGE_MANIFEST'],
    ['an endless body', endless(), 'IMAGE_MANIFEST'],
    ['a redirect to itself', redirect(path), 'HTTP_REDIRECT'],
    ['429 forever', tooManyRequests('0'), 'REGISTRY_RATE_LIMIT'],
    ['500 forever', status(500), 'HTTP_STATUS'],
    ['418', status(418), 'HTTP_STATUS'],
    ['a connection that is always lost', cutAfter(10, image.index.bytes), 'NETWORK_UNREACHABLE'],
  ] as const;

  it.each(manifestFaults)('that sends %s for a manifest is rejected', async (_, fault, code) => {
    registry.fault('/login', html());
    registry.fault(path, fault);
    expect((await refusalOf(open('team/app:1').resolve(both))).code).toBe(code);
  });

  it('retries a request to a registry after a temporary failure', async () => {
    const answer = serve(image.index.bytes, { type: image.index.mediaType });
    registry.fault(path, inTurn(status(503), status(503), tooManyRequests('0'), answer));
    expect((await open('team/app:1').resolve(both)).platforms).toHaveLength(2);
    expect(tools.notes.join('\n')).toContain('retrying in');
  });

  const layerFaults = [
    ['other bytes', wrongBytes(layer.bytes), 'BLOB_DIGEST'],
    ['too few bytes', short(10, layer.bytes), 'BLOB_SIZE'],
    ['an endless body', endless(), 'BLOB_SIZE'],
    ['a login page', html(), 'REGISTRY_PROTOCOL'],
    ['a redirect to itself', redirect(layerPath), 'HTTP_REDIRECT'],
    ['429 forever', tooManyRequests('0'), 'REGISTRY_RATE_LIMIT'],
  ] as const;

  it.each(layerFaults)('that sends %s for a layer is rejected', async (_, fault, code) => {
    registry.fault(layerPath, fault);
    const source = open('team/app:1');
    await source.resolve(both);
    expect((await refusalOf(source.fetch(named(layer)))).code).toBe(code);
    expect(await tools.store.has(named(layer))).toBe(false);
  });

  it('resumes a download from a registry in the middle of a layer', async () => {
    registry.fault(
      layerPath,
      inTurn(
        cutOnceRead(20, layer.bytes, () => tools.statistics.fetched),
        serve(layer.bytes),
      ),
    );
    const source = open('team/app:1');
    await source.resolve(both);
    await source.fetch(named(layer));
    expect(await readFile(tools.store.path(layer.digest))).toEqual(layer.bytes);
    expect(registry.seen(layerPath).map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=20-',
    ]);
  });

  it('may redirect to another host for its layers', async () => {
    const elsewhere = await FaultyServer.start({ '/blob': serve(layer.bytes) });
    registry.fault(layerPath, redirect(elsewhere.url('/blob?signature=secret'), 307));
    const source = open('team/app:1');
    await source.resolve(both);
    await source.fetch(named(layer));
    expect(await readFile(tools.store.path(layer.digest))).toEqual(layer.bytes);
    await elsewhere.close();
  });

  it('sends a layer of two images once', async () => {
    registry.push('team/other:1', image);
    const sources = [open('team/app:1'), open('team/other:1')];
    await Promise.all(sources.map((source) => source.resolve(both)));
    await Promise.all(sources.map((source) => source.fetch(named(layer))));
    const sent = registry.paths().filter((asked) => asked.endsWith(layer.digest));
    expect(sent).toHaveLength(1);
  });
});

describe('an inconsistent manifest', () => {
  const changed = [
    [
      'schema 1',
      makeImage({ index: () => ({ schemaVersion: 1, fsLayers: [], history: [] }) }),
      'IMAGE_MANIFEST',
      'schema 1',
    ],
    [
      'an index and a manifest at once',
      makeImage({ index: (index) => ({ ...index, layers: [] }) }),
      'IMAGE_MANIFEST',
      'both an index and a manifest',
    ],
    [
      'another kind than announced',
      makeImage({ index: (index) => ({ ...index, mediaType: types.docker.index }) }),
      'IMAGE_MANIFEST',
      'a different media type',
    ],
    [
      'a foreign layer',
      makeImage({
        manifest: (manifest) => ({
          ...manifest,
          layers: (manifest.layers as object[]).map((layer) => ({
            ...layer,
            mediaType: 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip',
          })),
        }),
      }),
      'IMAGE_FOREIGN_LAYER',
      'foreign layers',
    ],
    [
      'a layer count that differs from the configuration',
      makeImage({ config: (config) => ({ ...config, rootfs: { type: 'layers', diff_ids: [] } }) }),
      'IMAGE_MANIFEST',
      'lists 0',
    ],
    [
      'an index within an index',
      makeImage({
        manifest: () => ({ schemaVersion: 2, mediaType: types.oci.manifest, manifests: [] }),
      }),
      'IMAGE_MANIFEST',
      'is not a container image',
    ],
  ] as const;

  it.each(changed)('rejects an inconsistent manifest: %s', async (_, image, code, text) => {
    registry.push('team/app:1', image);
    const error = await refusalOf(open('team/app:1').resolve(both));
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
  });

  it('rejects a manifest whose size differs from the index', async () => {
    const image = makeImage({
      index: (index) => ({
        ...index,
        manifests: (index.manifests as Array<{ size: number }>).map((entry) => ({
          ...entry,
          size: entry.size + 1,
        })),
      }),
    });
    registry.push('team/app:1', image);
    expect((await refusalOf(open('team/app:1').resolve(both))).code).toBe('BLOB_SIZE');
  });

  it('rejects a manifest that is too large before the download', async () => {
    const image = makeImage({
      index: (index) => ({
        ...index,
        manifests: (index.manifests as object[]).map((entry) => ({ ...entry, size: 2 ** 40 })),
      }),
    });
    registry.push('team/app:1', image);
    const error = await refusalOf(open('team/app:1').resolve(both));
    expect(error.code).toBe('IMAGE_MANIFEST');
    expect(registry.paths().filter((path) => path.startsWith('GET'))).toHaveLength(1);
  });
});
