import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Host } from '../../../appliance/host/host.ts';
import { runCommand } from '../../../appliance/host/run/command.ts';
import { asDiskFull, needRoomForCopy, needRoomForPull } from '../../../appliance/models/room.ts';

/** How much room there is, which no other program changes. Bytes. */
const disk = vi.hoisted(() => ({ free: 100e9 }));
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  statfs: async () => ({ bavail: disk.free, bsize: 1 }),
}));

/** Memory is another file system than the root folder's. */
const root = mkdtempSync('/dev/shm/landfall-');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const host = new Host(root, runCommand);
const store = 'volume/models';
const spare = 500e6;
const full = { code: 'DISK_FULL' };

describe('room for a model that is pulled', () => {
  it('is enough where the model fits with something to spare', async () => {
    const asking = needRoomForPull(host, store, 'qwen3:8b', disk.free - spare);
    await expect(asking).resolves.toBeUndefined();
  });

  it('is too little if the system would have none left, and reports the missing bytes', async () => {
    const asking = needRoomForPull(host, store, 'qwen3:8b', disk.free + 1e9);
    await expect(asking).rejects.toMatchObject({
      ...full,
      message: expect.stringMatching(/^not enough disk space for qwen3:8b: .* GB needed, .* free$/),
      hint: expect.stringMatching(/^Free 1\.5 GB more, or choose a smaller model\.$/),
    });
  });

  // Such files have their full length from the beginning: only what is in them counts.
  it('needs less where an earlier pull has fetched a part', async () => {
    const size = disk.free - spare + 1;
    const blobs = host.path(store, 'blobs');
    mkdirSync(blobs, { recursive: true });
    await expect(needRoomForPull(host, store, 'qwen3:8b', size)).rejects.toMatchObject(full);
    const part = 16 << 20;
    writeFileSync(`${blobs}/sha256-${'a'.repeat(64)}-partial`, Buffer.alloc(part, 1));
    writeFileSync(`${blobs}/unrelated`, Buffer.alloc(1 << 20, 1));
    await needRoomForPull(host, store, 'qwen3:8b', disk.free - spare + part);
    const more = needRoomForPull(host, store, 'qwen3:8b', disk.free - spare + part + 8192);
    await expect(more).rejects.toMatchObject(full);
  });
});

describe('room for models that are copied', () => {
  it('is asked for only where the bundle is on another disk', async () => {
    await needRoomForCopy(host, root, store, 1e18);
    await expect(needRoomForCopy(host, '/', store, 1e18)).rejects.toMatchObject(full);
  });
});

describe('a write that fails', () => {
  it.each(['ENOSPC', 'EDQUOT'])('for want of room (%s) says so', (code) => {
    expect(asDiskFull(Object.assign(new Error('write'), { code }))).toMatchObject(full);
  });

  it('for another reason stays what it is', () => {
    const error = Object.assign(new Error('read'), { code: 'EIO' });
    expect(asDiskFull(error)).toBe(error);
  });
});
