import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { freeSpace } from '../../../appliance/host/free-space.ts';
import { decideDisk } from '../../../appliance/preflight/decide-disk.ts';
import { checkDisk } from '../../../appliance/preflight/stage.ts';
import { noEngine } from '../answers.ts';
import { contextFor, imageOf, modelOf, type TestContext } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

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
