import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  type DiskNeeds,
  diskNeeds,
  type ImageStore,
  spaceNeeded,
  sum,
} from '#contract/sizes/disk-needs.ts';
import { freeSpace } from '../../../../appliance/server/host/free-space.ts';
import { decideDisk, planDisk } from '../../../../appliance/stages/preflight/plan-disk.ts';
import { checkDisk } from '../../../../appliance/stages/preflight/stage.ts';
import { noEngine } from '../../answers.ts';
import { contextFor, type Differences, imageOf, modelOf, type TestContext } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** Approximately the reference appliance: a 3 GB download and a model of 5.2 GB. */
const reference: DiskNeeds = {
  images: 8e9,
  optional: { lobe: 1.3e9 },
  models: { 'qwen3:8b': 5.2e9 },
  carried: 0,
  downloads: 0,
  blobs: 3.1e9,
};

describe('a disk with much free space', () => {
  it('keeps the blobs, and space for the next release', () => {
    expect(planDisk(reference, 60e9)).toMatchObject({ dropBlobs: false, keepPrevious: true });
  });
});

describe('a disk of 20 GB', () => {
  it('plans a disk of 20 GB without space for the blobs and the next release', () => {
    expect(planDisk(reference, 14e9)).toMatchObject({ dropBlobs: true, keepPrevious: false });
  });

  it('rejects a model that does not fit, and suggests what to leave out, the largest first', () => {
    const { refusal } = planDisk(reference, 11e9);
    expect(refusal).toEqual({
      message: 'not enough disk space: 11.0 GB free, 12.8 GB needed',
      hint: 'Use a disk with 1.8 GB more, or leave out qwen3:8b (5.2 GB), lobe (1.3 GB).',
    });
  });
});

describe('models in the bundle', () => {
  // Regression: models in the bundle were counted twice.
  it('need no additional space, because Ollama shares their files', () => {
    const carried = { ...reference, carried: 5.2e9 };
    const way = { dropBlobs: false, keepPrevious: false };
    expect(spaceNeeded(reference, way) - spaceNeeded(carried, way)).toBeCloseTo(5.2e9);
    expect(planDisk(carried, 11e9)).not.toHaveProperty('refusal');
  });
});

describe('a disk of medium size', () => {
  it('drops the blobs before the space for the next release', () => {
    const free = spaceNeeded(reference, { dropBlobs: true, keepPrevious: true });
    expect(planDisk(reference, free)).toEqual({ dropBlobs: true, keepPrevious: true, spare: 0 });
  });

  it('drops no blobs of a thin bundle', () => {
    const thin = { ...reference, blobs: 0 };
    const free = spaceNeeded(thin, { dropBlobs: false, keepPrevious: false });
    expect(planDisk(thin, free)).toEqual({ dropBlobs: false, keepPrevious: false, spare: 0 });
  });
});

describe('the blobs of a bundle', () => {
  it('do not count as free space for images, which need both at once', () => {
    const images = { ...reference, models: {}, images: 15e9 };
    expect(planDisk(images, 15e9).refusal).toBeDefined();
  });
});

const amounts = fc.record({
  images: fc.nat(50e9),
  blobs: fc.nat(20e9),
  models: fc.dictionary(fc.string(), fc.nat(20e9), { maxKeys: 3 }),
  carried: fc.nat(60e9),
  downloads: fc.nat(1e9),
});

describe('any disk', () => {
  it('plans no more than any disk holds, and accepts it if a smaller one is accepted', () => {
    fc.assert(
      fc.property(amounts, fc.nat(200e9), fc.nat(50e9), (needs, free, more) => {
        const carried = Math.min(needs.carried, sum(Object.values(needs.models)));
        const whole = { ...needs, carried, optional: {}, unknown: 0 };
        const decision = planDisk(whole, free);
        if (decision.refusal !== undefined) return;
        expect(spaceNeeded(whole, decision) + decision.spare).toBe(free);
        expect(decision.spare).toBeGreaterThanOrEqual(0);
        expect(planDisk(whole, free + more).refusal).toBeUndefined();
      }),
    );
  });
});

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

/** Disks of fixed size, so that other processes do not change the free space. */
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  statfs: async () => ({ bavail: 100e6, bsize: 1000 }),
}));

/** /dev/shm exists on every Linux, and is another file system than any disk. */
const elsewhere = mkdtempSync('/dev/shm/landfall-');
afterAll(() => rmSync(elsewhere, { recursive: true }));

const vast = 4e15;
const images = [imageOf('engine', vast)];
const models = [modelOf('vast:1b', vast)];
const carried = {
  ...{ path: `models/sha256/${'a'.repeat(64)}`, size: vast },
  ...{ sha256: 'a'.repeat(64), offset: 0, executable: false },
};

/** Returns a server with one of Docker's folders on a separate disk. */
function withDiskAt(
  folder?: 'var/lib/docker' | 'var/lib/containerd',
  hasContainerdStore = true,
): TemporaryHost {
  const features = { 'containerd-snapshotter': hasContainerdStore };
  const settings = JSON.stringify({ features });
  const host = TemporaryHost.with({ 'etc/docker/daemon.json': settings }, noEngine);
  mkdirSync(host.path('var/lib'), { recursive: true });
  if (folder) symlinkSync(elsewhere, host.path(folder));
  return host;
}

describe('the disk space for images', () => {
  it.each([
    [false, 2.6],
    [true, 3.6],
  ])('depends on the image store, which is that of containerd: %s', async (on, factor) => {
    const context = contextFor(withDiskAt(undefined, on), {
      release: { images: [imageOf('engine', 1e9)] },
    });
    expect((await decideDisk(context)).needs.images).toBe(factor * 1e9);
  });
});

// Regression: only /var/lib/docker was checked, but the containerd store keeps its layers elsewhere.
describe('a server with the containerd store and two disks', () => {
  it.each(['var/lib/docker', 'var/lib/containerd'] as const)(
    'checks the space for images on the disk of containerd, with the other disk at /%s',
    async (folder) => {
      const context = contextFor(withDiskAt(folder), { release: { images } });
      expect(await checkDisk(context)).toEqual([
        {
          message: expect.stringMatching(
            /^\/var\/lib\/containerd \(images\): not enough disk space: [0-9.]+ GB free, \d+/,
          ),
          hint: expect.any(String),
        },
      ]);
    },
  );

  it('checks the space for models on the disk of Docker', async () => {
    const context = contextFor(withDiskAt('var/lib/docker'), {
      release: { models },
      site: { models: ['vast:1b'] },
    });
    const { refusals } = await decideDisk(context);
    expect(refusals.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^\/var\/lib\/docker \(models\): not enough disk space/),
    );
  });

  it('gets both problems at once', async () => {
    const context = contextFor(withDiskAt('var/lib/docker'), {
      release: { images, models },
      site: { models: ['vast:1b'] },
    });
    expect(await checkDisk(context)).toHaveLength(2);
  });

  it('uses the space left on the root disk for swap', async () => {
    const taken = async (context: TestContext) => {
      const { spare } = await decideDisk(context);
      return (await freeSpace(context.host, '.')).free - spare;
    };
    const release = { images: [imageOf('engine', 1e8)] };
    const besideImages = contextFor(withDiskAt('var/lib/docker'), { release });
    const besideModels = contextFor(withDiskAt('var/lib/containerd'), { release });
    // 2 GB reserve and 0.7 GB for packages; twice 0.36 GB for images on their disk only.
    expect(await taken(besideImages)).toBe(3.42e9);
    expect(await taken(besideModels)).toBe(2.7e9);
  });

  it('shares model files with the bundle only on the same disk', async () => {
    const release = { models, files: [carried] };
    const site = { models: ['vast:1b'] };
    const apart = contextFor(withDiskAt('var/lib/docker'), { release, site });
    const beside = contextFor(withDiskAt('var/lib/containerd'), { release, site });
    const forModels = async (context: typeof apart) =>
      (await decideDisk(context)).refusals.filter(({ message }) => /models/.test(message));
    expect(await forModels(apart)).toHaveLength(1);
    expect(await forModels(beside)).toEqual([]);
  });
});

describe('a server with the classic store', () => {
  it('does not use the folder of containerd', async () => {
    const release = { images: [imageOf('engine', 1e6)] };
    const context = contextFor(withDiskAt('var/lib/containerd', false), { release });
    expect((await decideDisk(context)).refusals).toEqual([]);
    const message = expect.stringMatching(/^not enough disk space/);
    const vastContext = contextFor(withDiskAt('var/lib/containerd', false), {
      release: { images },
    });
    expect((await decideDisk(vastContext)).refusals).toMatchObject([{ message }]);
  });
});
