import { describe, expect, it } from 'vitest';
import { checkDisks, diskCheck } from '../../../../appliance/doctor/checks/disk.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

const large = { folder: 'var', free: 20e9, size: 40e9, inodes: 0.9 };

describe('the check of the disks', () => {
  it('measures the file systems of the server', async () => {
    expect(await look(diskCheck, TemporaryHost.with({}))).toEqual([]);
  });

  it('finds a full one once, with a fix that keeps data', async () => {
    const full = { ...large, free: 0.1e9 };
    const [finding, ...rest] = checkDisks([{ ...full, folder: '.' }, full]);
    expect([finding?.code, finding?.text, rest]).toEqual([
      'DISK_FULL',
      'only 100 MB is free in /var',
      [],
    ]);
    const host = TemporaryHost.with(
      {},
      { 'apt-get clean': '', 'journalctl --vacuum-size=100M': '' },
    );
    await finding?.fix?.apply({ host, runStage: async () => {} });
    expect(host.ran).toEqual(['apt-get clean', 'journalctl --vacuum-size=100M']);
  });

  it('finds one without inodes, however much space it has', () => {
    expect(checkDisks([{ ...large, inodes: 0.001 }]).map(({ text }) => text)).toEqual([
      'the file system of /var has no free inodes',
    ]);
  });

  it('accepts a small one with a twentieth free', () => {
    expect(checkDisks([{ folder: 'tmp', free: 0.06e9, size: 1e9, inodes: 1 }])).toEqual([]);
  });
});
