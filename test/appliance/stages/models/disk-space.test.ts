import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Host } from '../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import {
  asDiskFull,
  needRoomForCopy,
  needRoomForPull,
} from '../../../../appliance/stages/models/disk-space.ts';

/** Fixed free space in bytes, which other programs do not change. */
const disk = vi.hoisted(() => ({ free: 100e9 }));
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  statfs: async () => ({ bavail: disk.free, bsize: 1 }),
}));

/** /dev/shm is another file system than the root folder. */
const root = mkdtempSync('/dev/shm/landfall-');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const host = new Host(root, runCommand);
const store = 'volume/models';
const spare = 500e6;
const full = { code: 'DISK_FULL' };

describe('the disk space for a pull', () => {
  it('accepts a pull if the model fits with a reserve', async () => {
    const asking = needRoomForPull(host, store, 'qwen3:8b', disk.free - spare);
    await expect(asking).resolves.toBeUndefined();
  });

  it('rejects a pull without the reserve, and reports the missing bytes', async () => {
    const asking = needRoomForPull(host, store, 'qwen3:8b', disk.free + 1e9);
    await expect(asking).rejects.toMatchObject({
      ...full,
      message: expect.stringMatching(/^not enough disk space for qwen3:8b: .* GB needed, .* free$/),
      hint: expect.stringMatching(/^Free 1\.5 GB more, or choose a smaller model\.$/),
    });
  });

  // Partial files are sparse and have their full length from the beginning.
  it('excludes what an earlier pull has downloaded', async () => {
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

describe('the disk space for copies of models', () => {
  it('checks the disk space for copies of models only if the bundle is on another disk', async () => {
    await needRoomForCopy(host, root, store, 1e18);
    await expect(needRoomForCopy(host, '/', store, 1e18)).rejects.toMatchObject(full);
  });
});

describe('a failed write', () => {
  it.each(['ENOSPC', 'EDQUOT'])('without disk space (%s) is DISK_FULL', (code) => {
    expect(asDiskFull(Object.assign(new Error('write'), { code }))).toMatchObject(full);
  });

  it('with another error is unchanged', () => {
    const error = Object.assign(new Error('read'), { code: 'EIO' });
    expect(asDiskFull(error)).toBe(error);
  });
});
