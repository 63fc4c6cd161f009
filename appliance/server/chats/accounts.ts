import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { readJson } from '#contract/text/json.ts';
import type { Host } from '../host/host.ts';
import { runOnVolume, volumeFolder } from './sandbox.ts';

const accountSchema = z.object({
  id: z.string().min(1),
  email: z.string(),
  name: z.string(),
  /** `admin`, `user`, or `pending` for one that may not sign in. */
  role: z.string(),
  /** What Open WebUI since 0.12 requires in a session of the account; null without one. */
  stamp: z.string().nullable(),
  /** Seconds since 1970; null if unknown. */
  lastActive: z.number().nullable(),
});
export type Account = z.infer<typeof accountSchema>;

const accountsSchema = z.object({ accounts: z.array(accountSchema) });

/**
 * Reads the accounts, the oldest first, also while the chat UI runs. Administrators come first in a second,
 * as in Open WebUI, which protects the first account (models/users.py, get_first_user).
 * @param folder absolute path
 */
export function readAccounts(folder: string): z.infer<typeof accountsSchema> {
  const path = join(folder, 'webui.db');
  if (!existsSync(path)) return { accounts: [] };
  using database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  const hasStamp = database
    .prepare("SELECT 1 FROM pragma_table_info('auth') WHERE name = 'session_stamp'")
    .get();
  const stamp = hasStamp ? 'auth.session_stamp' : 'NULL';
  const rows = database
    .prepare(
      `SELECT "user".id, coalesce("user".email, '') AS email, coalesce("user".name, '') AS name,
          coalesce(role, '') AS role, ${stamp} AS stamp, last_active_at AS lastActive
        FROM "user" LEFT JOIN auth ON auth.id = "user".id
        ORDER BY created_at, role IS NOT 'admin', "user".id`,
    )
    .all();
  return accountsSchema.parse({ accounts: rows });
}

/**
 * Lists the accounts of this server's chat UI with what a session needs, in a sealed unit.
 * @param releaseFolder absolute path
 * @throws LandfallError STATE_INVALID without a chat UI, COMMAND_FAILED
 */
export async function listAccounts(host: Host, releaseFolder: string): Promise<Account[]> {
  const folder = await volumeFolder(host, 'ui-data');
  if (folder === undefined) {
    throw new LandfallError('STATE_INVALID', 'this server has no chat UI yet', {
      hint: { en: 'Run `sudo landfall first-boot`.', zh: '运行 `sudo landfall first-boot`。' },
    });
  }
  const printed = await runOnVolume(host, releaseFolder, 'accounts', folder, 'export');
  const found = readJson(accountsSchema, printed);
  if (found) return found.accounts;
  throw new LandfallError('STATE_INVALID', 'the accounts of the chat UI cannot be read', {
    hint: { en: 'Run `sudo landfall doctor`.', zh: '运行 `sudo landfall doctor`。' },
  });
}
