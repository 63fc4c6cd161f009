import { describe, expect, it } from 'vitest';
import type { ImageStore } from '../../../appliance/host/image-store.ts';
import { diskNeeds } from '../../../appliance/preflight/disk-needs.ts';
import { contextFor, type Differences, imageOf, modelOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

function needs(differences: Differences, store: ImageStore = 'classic') {
  const context = contextFor(TemporaryHost.with({}), differences);
  return diskNeeds(context.release, context.site, context.server, store);
}

describe('the disk space that a release needs', () => {
  it('includes unpacked images', () => {
    const images = [imageOf('engine', 2e9), imageOf('ui', 1e9)];
    expect(needs({ release: { images } }).images).toBe(7.8e9);
  });

  it('includes compressed images too in the containerd store', () => {
    const images = [imageOf('engine', 2e9), imageOf('ui', 1e9)];
    expect(needs({ release: { images } }, 'containerd').images).toBe(10.8e9);
  });

  it('includes an optional component only if the site enables it', () => {
    const release = { images: [imageOf('lobe', 1e9, { optional: true })] };
    expect(needs({ release })).toMatchObject({ images: 0, optional: {} });
    const on = needs({ release, site: { components: { lobe: true } } });
    expect(on).toMatchObject({ images: 2.6e9, optional: { lobe: 2.6e9 } });
  });

  it('distinguishes blobs, which can be deleted, from other files of the bundle', () => {
    const file = { sha256: 'a'.repeat(64), offset: 512, executable: false };
    const files = [
      { ...file, path: 'blobs/sha256/abc', size: 5e8 },
      { ...file, path: 'runtime/node.tgz', size: 5e7 },
    ];
    expect(needs({ release: { files } }).blobs).toBe(5e8);
  });

  it('includes model files in the bundle, up to the size of the models', () => {
    const file = { sha256: 'a'.repeat(64), offset: 512, executable: false };
    const files = [
      { ...file, path: `models/sha256/${file.sha256}`, size: 700 },
      { ...file, path: 'models/sha256/b', size: 5e9 },
    ];
    const models = [modelOf('qwen3:8b', 5e9)];
    expect(needs({ release: { files, models } })).toMatchObject({ carried: 5e9, blobs: 0 });
    expect(needs({ release: { files: [], models } }).carried).toBe(0);
  });

  it('counts no disk space for an image of unknown size', () => {
    expect(needs({ release: { images: [imageOf('engine', null)] } }).images).toBe(0);
  });
});
