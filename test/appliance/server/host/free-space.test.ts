import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { freeSpace } from '../../../../appliance/server/host/free-space.ts';
import { checkDisk, storeDiskPlan } from '../../../../appliance/stages/preflight/stage.ts';
import { noEngine } from '../../answers.ts';
import { contextFor, modelOf } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** Free space on Docker's disk and on other disks. */
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  statfs: async (path: string) => ({ bavail: path.endsWith('docker') ? 25e6 : 90e6, bsize: 1000 }),
}));

/** A tmpfs that exists on every Linux, so a separate file system. */
const elsewhere = mkdtempSync('/dev/shm/landfall-');
afterAll(() => rmSync(elsewhere, { recursive: true }));

/** A server with a separate disk for Docker. */
function withTwoDisks(): TemporaryHost {
  const host = TemporaryHost.with({}, noEngine);
  mkdirSync(host.path('var/lib'), { recursive: true });
  symlinkSync(elsewhere, host.path('var/lib/docker'));
  return host;
}

describe('freeSpace', () => {
  it('uses the closest existing parent folder', async () => {
    const host = TemporaryHost.with({});
    const root = await freeSpace(host, '.');
    expect(root.free).toBeGreaterThan(0);
    expect((await freeSpace(host, 'var/lib/docker')).device).toBe(root.device);
  });

  it('uses the file system of the folder', async () => {
    const host = withTwoDisks();
    const [engine, root] = [await freeSpace(host, 'var/lib/docker'), await freeSpace(host, '.')];
    expect(engine.device).not.toBe(root.device);
  });
});

describe('a server with a separate disk for Docker', () => {
  it('checks that disk for images and models', async () => {
    const context = contextFor(withTwoDisks(), {
      site: { models: ['vast:4000b'] },
      release: { models: [modelOf('vast:4000b')] },
    });
    expect(await checkDisk(context)).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^not enough disk space: 25\.0 GB free, 2\.6 TB needed/),
      }),
    ]);
  });

  it('does not count space on the other disk', async () => {
    const file = { path: 'blobs/sha256/a', size: 1e15, sha256: '', offset: 0, executable: false };
    const context = contextFor(withTwoDisks(), {
      site: { models: ['vast:4000b'] },
      release: { files: [file], models: [modelOf('vast:4000b')] },
    });
    await storeDiskPlan(context);
    expect(await checkDisk(context)).toHaveLength(1);
  });
});
