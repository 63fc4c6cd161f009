import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { type Account, findAccount } from '../../host/account.ts';
import { writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { readJsonFile } from '../../host/json-file.ts';

/** The names of the redirected users. */
export const redirectedUsersFile = 'etc/landfall/redirect.json';

const format = z.object({ users: z.array(z.string()) });
/** systemd reuses these IDs for other services (DynamicUser=). */
const dynamic = { first: 61_184, last: 65_519 };

/** Returns the names of the redirected users. @throws LandfallError STATE_INVALID */
export async function redirectedUsers(host: Host): Promise<string[]> {
  return (await readJsonFile(host, redirectedUsersFile, format, damaged))?.users ?? [];
}

function damaged(): LandfallError {
  return new LandfallError('STATE_INVALID', `/${redirectedUsersFile} is damaged`, {
    hint: 'Run `sudo landfall route redirect --user <name>` again.',
  });
}

/**
 * Stores the names of the redirected users.
 * @throws LandfallError USAGE for a user that must not be redirected or does not exist
 */
export async function storeRedirectedUsers(host: Host, names: readonly string[]): Promise<void> {
  const accounts = await Promise.all(names.map((name) => redirectable(host, name)));
  const users = [...new Set(accounts.map(({ user }) => user))].sort();
  await writeText(host, redirectedUsersFile, `${JSON.stringify({ users })}\n`);
}

async function redirectable(host: Host, name: string): Promise<Account> {
  const account = await findAccount(host, name);
  if (account === undefined) throw refused(name, 'the user does not exist');
  const { uid, user } = account;
  // The services of the server, such as sshd and apt, run as root.
  if (uid === 0) throw refused(name, 'the services of this server run as root');
  if (user === 'redsocks') throw refused(name, 'its connections would be redirected to itself');
  if (uid >= dynamic.first && uid <= dynamic.last) {
    throw refused(name, 'the ID of this user changes');
  }
  return account;
}

function refused(name: string, cause: string): LandfallError {
  return new LandfallError('USAGE', `user ${name} cannot be redirected: ${cause}`, {
    hint: 'Choose a login user or the user of a service.',
  });
}
