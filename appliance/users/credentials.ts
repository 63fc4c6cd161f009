import { findAccount } from '../host/account.ts';
import type { CredentialSource } from '../host/credential.ts';
import { readSecret } from '../host/secret-file.ts';
import { consolePasswordName, opensConsole } from './console-password.ts';

/** Returns the console password of the administrator account. */
export const consoleCredentials: CredentialSource = async (host, { admin: { user } }) => {
  const value = await readSecret(host, consolePasswordName);
  if (value === undefined || !(await findAccount(host, user))) return [];
  const title = `Console of the server, user ${user}`;
  const credential = { title, name: consolePasswordName, value };
  if (await opensConsole(host, user, value)) return [credential];
  return [{ ...credential, note: 'No longer valid: it was changed on the server with passwd.' }];
};
