import { backupFolder } from '#contract/server-paths.ts';
import { makeFolder, readText, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { makeSecret } from '../../server/host/secret-file.ts';
import { keyFile } from './repository.ts';

/** Without look-alike characters. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 6;
const groupLength = 5;

/** `next` replaces that of the person; see `landfall backup key new`. */
type PasswordName = 'server' | 'person' | 'next';

/** Returns the stored password of the server or of the person; generates it if it is missing. */
export async function readOrMakePassword(host: Host, key: PasswordName): Promise<string> {
  const known = await readPassword(host, key);
  if (known !== undefined) return known;
  // 30 characters, each one of 31: 148 bits.
  const made = Array.from({ length: groups }, () =>
    makeSecret({ length: groupLength, alphabet }),
  ).join('-');
  await makeFolder(host, backupFolder, { mode: 0o700 });
  await writeText(host, keyFile(key), `${made}\n`, { mode: 0o600 });
  return made;
}

/** Returns a stored password; undefined if it is missing. */
export async function readPassword(host: Host, key: PasswordName): Promise<string | undefined> {
  return (await readText(host, keyFile(key)))?.trim() || undefined;
}

/** Replaces the password of the person. The file of the next one stays until the earlier keys are removed. */
export async function replacePassword(host: Host, password: string): Promise<void> {
  await writeText(host, keyFile('person'), `${password}\n`, { mode: 0o600 });
}

/** Removes the file of the next password, when it has replaced the earlier one. */
export async function forgetNextPassword(host: Host): Promise<void> {
  await removeFile(host, keyFile('next'));
}

/** Returns the last group of a password, which a person types back. */
export function lastGroup(password: string): string {
  return password.slice(password.lastIndexOf('-') + 1);
}
