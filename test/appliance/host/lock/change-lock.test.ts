import { describe, expect, it } from 'vitest';
import { takeChangeLock } from '../../../../appliance/host/lock/change-lock.ts';
import { takeRunLock } from '../../../../appliance/host/lock/run-lock.ts';
import { TemporaryHost } from '../../temporary-host.ts';

describe('the lock of changes', () => {
  it('takes the lock of changes without a message when nothing changes the server', async () => {
    const said: string[] = [];
    const host = TemporaryHost.with({});
    await (await takeChangeLock(host, (line) => said.push(line))).release();
    expect(said).toEqual([]);
  });

  it('waits for another command, and says so once', async () => {
    const said: string[] = [];
    const host = TemporaryHost.with({});
    const held = await takeRunLock(host, 'changes');
    const waiting = takeChangeLock(host, (line) => {
      said.push(line);
      void held.release();
    });
    await (await waiting).release();
    expect(said).toEqual(['Waiting for another landfall command that changes this server.']);
  });

  it('rejects a second lock of changes when the other command does not end', async () => {
    const host = TemporaryHost.with({});
    const held = await takeRunLock(host, 'changes');
    await expect(takeChangeLock(host, () => {}, 0)).rejects.toMatchObject({
      code: 'ALREADY_RUNNING',
      message: 'another command is changing this server',
    });
    await held.release();
  });

  it('does not wait for a first boot, which takes minutes', async () => {
    const host = TemporaryHost.with({});
    const held = [await takeRunLock(host, 'changes'), await takeRunLock(host, 'first-boot')];
    await expect(takeChangeLock(host, () => {})).rejects.toMatchObject({
      code: 'ALREADY_RUNNING',
      message: 'first-boot is already running on this server',
    });
    await Promise.all(held.map((lock) => lock.release()));
  });
});
