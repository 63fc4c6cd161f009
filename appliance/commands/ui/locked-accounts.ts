import { type Account, listAccounts } from '../../server/chats/accounts.ts';
import { takeChangeLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';

/**
 * Calls a function with the accounts of the chat UI, oldest first, while nothing else changes the server. The
 * task on the volume runs alone, so it waits for an update or a backup.
 * @throws LandfallError STATE_INVALID without a chat UI; ALREADY_RUNNING, COMMAND_FAILED
 */
export async function withAccounts<Result>(
  { host, releaseFolder }: Pick<Facts, 'host' | 'releaseFolder'>,
  use: (accounts: readonly Account[]) => Result | Promise<Result>,
): Promise<Result> {
  const lock = await takeChangeLock(host, (line) => process.stderr.write(`${line}\n`));
  try {
    return await use(await listAccounts(host, releaseFolder));
  } finally {
    await lock.release();
  }
}
