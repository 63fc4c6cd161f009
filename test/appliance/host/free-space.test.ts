import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { freeSpace } from '../../../appliance/host/free-space.ts';
import { judgeDisk, settleDisk } from '../../../appliance/preflight/disk.ts';
import { noEngine } from '../answers.ts';
import { contextFor, modelOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

/** How much room there is, on the engine's own disk and on any other. */
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  statfs: async (path: string) => ({ bavail: path.endsWith('docker') ? 25e6 : 90e6, bsize: 1000 }),
}));

/** Memory that is mounted on every Linux: another file system than any disk. */
const elsewhere = mkdtempSync('/dev/shm/landfall-');
afterAll(() => rmSync(elsewhere, { recursive: true }));

/** A server whose engine has a disk of its own. */
function withTwoDisks(): TemporaryHost {
  const host = TemporaryHost.with({}, noEngine);
  mkdirSync(host.path('var/lib'), { recursive: true });
  symlinkSync(elsewhere, host.path('var/lib/docker'));
  return host;
}

describe('the room for a path', () => {
  it('is that of the nearest folder that is there', async () => {
    const host = TemporaryHost.with({});
    const root = await freeSpace(host, '.');
    expect(root.free).toBeGreaterThan(0);
    expect((await freeSpace(host, 'var/lib/docker')).device).toBe(root.device);
  });

  it('is that of the disk that a folder lies on', async () => {
    const host = withTwoDisks();
    const [engine, root] = [await freeSpace(host, 'var/lib/docker'), await freeSpace(host, '.')];
    expect(engine.device).not.toBe(root.device);
  });
});

describe('a server whose engine has a disk of its own', () => {
  it('is judged by that disk for images and models', async () => {
    const context = contextFor(withTwoDisks(), {
      site: { models: ['vast:4000b'] },
      release: { models: [modelOf('vast:4000b')] },
    });
    expect(await judgeDisk(context)).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^not enough disk space: 25\.0 GB free, 2\.6 TB needed/),
      }),
    ]);
  });

  it('has nothing to gain there from dropping what lies on the other one', async () => {
    const file = { path: 'blobs/sha256/a', size: 1e15, sha256: '', offset: 0, executable: false };
    const context = contextFor(withTwoDisks(), {
      site: { models: ['vast:4000b'] },
      release: { files: [file], models: [modelOf('vast:4000b')] },
    });
    await settleDisk(context);
    expect(await judgeDisk(context)).toHaveLength(1);
  });
});
