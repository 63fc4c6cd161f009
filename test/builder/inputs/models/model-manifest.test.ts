import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { digestOf } from '#contract/trust/digest.ts';
import { readModelManifest } from '../../../../builder/inputs/models/registry-models.ts';
import { tinyModel } from '../../../stand-ins/engine/models/put-tiny-model.ts';
import { configType, layerType, modelOf, smallModel } from './fixture.ts';

const read = (manifest: Buffer) => readModelManifest(manifest, 'qwen3:8b');
const edited = (edit: (manifest: Record<string, unknown>) => unknown) => {
  const { manifest } = smallModel();
  return Buffer.from(JSON.stringify(edit(JSON.parse(manifest.toString()))));
};

describe('the manifest of a model', () => {
  it('lists the configuration and every layer, and the total size', () => {
    const { manifest, blobs } = tinyModel();
    const found = read(manifest);
    expect(new Set(found.blobs.map(({ digest }) => digest))).toEqual(new Set(blobs.keys()));
    const sizes = [...blobs.values()].map(({ length }) => length);
    expect(found.size).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });

  it('may list a layer twice, which is fetched and counted once', () => {
    const same = { mediaType: layerType('license'), bytes: Buffer.from('MIT') };
    const model = { mediaType: layerType('model'), bytes: Buffer.from('weights') };
    const config = { mediaType: configType, bytes: Buffer.from('{}') };
    expect(read(modelOf([config, model, same, same]).manifest)).toMatchObject({
      size: 2 + 7 + 3,
      blobs: [{ size: 2 }, { size: 7 }, { size: 3 }],
    });
  });

  it('may have unknown layers of Ollama, and empty ones', () => {
    const layers = {
      model: 'w',
      projector: 'p',
      params: '{}',
      system: '',
      'kind-of-tomorrow': 'x',
    };
    expect(read(smallModel(layers).manifest).blobs).toHaveLength(6);
  });

  it('may omit its media type', () => {
    expect(read(edited(({ mediaType: _, ...rest }) => rest)).blobs).toHaveLength(2);
  });
});

describe('an invalid model manifest', () => {
  it.each<[string, Buffer]>([
    ['no bytes', Buffer.alloc(0)],
    ['a web page', Buffer.from('<!doctype html>')],
    ['null', Buffer.from('null')],
    ['an index of images', edited(() => ({ schemaVersion: 2, manifests: [] }))],
    ['a manifest of the old schema', edited((manifest) => ({ ...manifest, schemaVersion: 1 }))],
    ['no layers', edited((manifest) => ({ ...manifest, layers: [] }))],
    ['another media type', edited((manifest) => ({ ...manifest, mediaType: 'text/plain' }))],
    [
      'a digest of another algorithm',
      edited((manifest) => ({
        ...manifest,
        layers: [{ mediaType: layerType('model'), digest: `sha512:${'0'.repeat(128)}`, size: 1 }],
      })),
    ],
    [
      'a negative size',
      edited((manifest) => ({
        ...manifest,
        layers: [{ mediaType: layerType('model'), digest: digestOf('x'), size: -1 }],
      })),
    ],
    [
      'a configuration of a gigabyte',
      edited((manifest) => ({
        ...manifest,
        config: { mediaType: configType, digest: digestOf('x'), size: 1e9 },
      })),
    ],
    ['more than 4 MiB', Buffer.alloc(4 * 1024 * 1024 + 1, ' ')],
  ])('rejects an invalid model manifest: %s', (_, manifest) => {
    expect(() => read(manifest)).toThrow(expect.objectContaining({ code: 'MODEL_MANIFEST' }));
  });

  it('rejects the manifest of a container image as a model, and names the layer type', () => {
    const layer = 'application/vnd.docker.image.rootfs.diff.tar.gzip';
    const image = modelOf([
      { mediaType: configType, bytes: Buffer.from('{}') },
      { mediaType: layer, bytes: Buffer.from('tar') },
    ]);
    expect(() => read(image.manifest)).toThrow(
      expect.objectContaining({
        code: 'MODEL_MANIFEST',
        message: 'qwen3:8b is not a model',
        problems: [{ message: `it contains ${layer}` }],
      }),
    );
  });

  it('causes no other error for any bytes', () => {
    const values = fc.json().map((text) => Buffer.from(text));
    fc.assert(
      fc.property(fc.oneof(values, fc.uint8Array().map(Buffer.from)), (bytes) => {
        expect(() => read(bytes)).toThrow(LandfallError);
      }),
    );
  });
});

describe('a model that no server can run', () => {
  it('rejects a model in safetensors before the download', () => {
    const { manifest } = smallModel({ tensor: 'one', license: 'MIT' });
    expect(() => read(manifest)).toThrow(
      expect.objectContaining({
        code: 'MODEL_FORMAT',
        message: expect.stringContaining('safetensors'),
        hint: expect.stringContaining('GGUF'),
      }),
    );
  });

  it('rejects a model without weights, like cloud models', () => {
    const { manifest } = smallModel({ license: 'MIT' });
    expect(() => read(manifest)).toThrow(expect.objectContaining({ code: 'MODEL_FORMAT' }));
  });
});
