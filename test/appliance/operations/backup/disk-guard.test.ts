import { describe, expect, it } from 'vitest';
import { guardDisk } from '../../../../appliance/operations/backup/disk-guard.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** Does work that ends as soon as the guard ends it. */
async function guarded(reserve: number) {
  const host = TemporaryHost.with({ 'restored/file': 'x' });
  const ended = Promise.withResolvers<never>();
  const end = async () => ended.reject(new Error('ended'));
  const work = () => (reserve > 0 ? ended.promise : Promise.resolve('done'));
  return await guardDisk(host, { path: 'restored', reserve, end }, work);
}

describe('the guard of the disk', () => {
  it('ends work that would fill the disk', async () => {
    await expect(guarded(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
      code: 'DISK_FULL',
      cause: expect.objectContaining({ message: 'ended' }),
    });
  });

  it('returns the result of other work', async () => {
    expect(await guarded(0)).toBe('done');
  });

  it('keeps the error of work that it did not end', async () => {
    const host = TemporaryHost.with({ 'restored/file': 'x' });
    const guard = { path: 'restored', reserve: 0, end: async () => {} };
    const work = () => Promise.reject(new Error('of restic'));
    await expect(guardDisk(host, guard, work)).rejects.toThrow('of restic');
  });
});
