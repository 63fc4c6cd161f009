import { beforeEach, describe, expect, it, vi } from 'vitest';
import { makeBackup } from '../../../../appliance/commands/backup/run.ts';
import { newTransaction } from '../../../../appliance/server/records/transaction.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));

/** Makes a backup on a server whose rollback is stuck. @param restored whether the chats are back */
async function backUp(restored: boolean): Promise<void> {
  const source = { urls: [], part: null };
  const versions = { kind: 'update', from: '1.0.0', to: '1.1.0' } as const;
  const update = newTransaction({ ...versions, manifest: 'a'.repeat(64), source });
  const open = { ...update, state: 'stuck', restored };
  const host = TemporaryHost.with({
    'var/lib/landfall/update/transaction.json': JSON.stringify(open),
  });
  await makeBackup(contextFor(host), {});
}

describe('a server whose rollback is stuck', () => {
  it('makes no backup until the chats of before are back', async () => {
    await expect(backUp(false)).rejects.toMatchObject({
      code: 'STATE_INVALID',
      message: 'the rollback of 1.1.0 is stuck',
      hint: expect.stringContaining('sudo landfall update resume'),
    });
  });

  it('makes a backup as soon as they are back', async () => {
    await expect(backUp(true)).rejects.toMatchObject({ code: 'BACKUP_MISSING' });
  });
});
