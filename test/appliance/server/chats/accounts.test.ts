import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAccounts, readAccounts } from '../../../../appliance/server/chats/accounts.ts';
import { UiRig } from '../../../stand-ins/ui/ui-rig.ts';
import { TemporaryHost } from '../../temporary-host.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'landfall-accounts-'));
});
afterEach(() => rmSync(data, { recursive: true }));

function sql(statements: string): void {
  using database = new DatabaseSync(join(data, 'webui.db'));
  database.exec(statements);
}

describe('the reader of accounts', () => {
  it('reads accounts with what a session needs, also those that wait for approval', async () => {
    const ui = await UiRig.start(data);
    await ui.addUser('eve');
    sql("UPDATE user SET role = 'pending', created_at = created_at + 1 WHERE name = 'eve'");
    expect(readAccounts(data)).toEqual({
      accounts: [
        {
          ...{ id: expect.any(String), email: 'ops@example.org', role: 'admin' },
          ...{ name: 'Admin', lastActive: expect.any(Number) },
          stamp: expect.stringMatching(/^[\w-]{36}$/),
        },
        expect.objectContaining({ email: 'eve@example.org', role: 'pending' }),
      ],
    });
  });

  it('reads accounts of earlier versions, which have no stamp, and accounts without an email', async () => {
    await UiRig.start(data);
    sql(`ALTER TABLE auth DROP COLUMN session_stamp; DELETE FROM auth;
      UPDATE user SET email = NULL, role = NULL`);
    expect(readAccounts(data).accounts).toMatchObject([{ email: '', role: '', stamp: null }]);
  });

  it('reads no accounts without a database', () => {
    expect(readAccounts(join(data, 'missing'))).toEqual({ accounts: [] });
  });

  it('fails to list accounts without a chat UI', async () => {
    const host = TemporaryHost.with({}, { 'docker volume inspect': 1 });
    await expect(listAccounts(host, '/release')).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });
});
