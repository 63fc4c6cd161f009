import { describe, expect, it } from 'vitest';
import {
  diskConditions,
  lowDisk,
  lowDisks,
  lowOf,
} from '../../../../appliance/server/conditions/disk.ts';
import { withoutSpace, withSpace } from '../../disk-settings.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const defaults = { share: 0.1, bytes: 2e9 };
const disk = (free: number, size: number, device = 1) => ({ folder: '/', device, free, size });

describe('the file systems that are low on space', () => {
  it.each([
    ['less than a tenth', 9e9, 100e9, true],
    ['more than a tenth', 11e9, 100e9, false],
    ['less than 2 GB of a small one', 1.9e9, 10e9, true],
    ['more than 2 GB of a small one', 2.1e9, 10e9, false],
  ])('include one with %s free: %d of %d', (_what, free, size, isLow) => {
    expect(lowOf([disk(free, size)], defaults)).toHaveLength(isLow ? 1 : 0);
  });

  it('need more space to recover', () => {
    expect(lowOf([disk(11e9, 100e9)], defaults, 1.25)).toHaveLength(1);
    expect(lowOf([disk(13e9, 100e9)], defaults, 1.25)).toEqual([]);
  });

  it('lists a file system once, whatever folders it has', () => {
    const docker = { ...disk(1e9, 50e9), folder: '/var/lib/docker' };
    const low = { folder: '/', free: 1e9, size: 50e9 };
    expect(lowOf([disk(1e9, 50e9), docker], defaults)).toEqual([low]);
    expect(lowOf([disk(1e9, 50e9), { ...docker, device: 2 }], defaults)).toEqual([low]);
    expect(lowOf([disk(1e9, 50e9), { ...docker, device: 2, size: 9e9 }], defaults)).toHaveLength(2);
  });

  it('uses the limits of the administrator', async () => {
    expect(await lowDisks(TemporaryHost.with(withSpace))).toEqual([]);
    const low = await lowDisks(TemporaryHost.with(withoutSpace));
    expect(low).toMatchObject([{ folder: '/' }]);
  });

  it('describes one in both languages', async () => {
    expect(lowDisk({ folder: '/', free: 1.5e9, size: 40e9 }).what).toEqual({
      en: 'low disk space: 1.5 GB of 40.0 GB free in /',
      zh: '磁盘空间不足：/ 剩余 1.5 GB（共 40.0 GB）',
    });
    expect(await diskConditions(TemporaryHost.with(withoutSpace))).toHaveLength(1);
  });
});
