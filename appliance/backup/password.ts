import { backupFolder } from '#contract/server-paths.ts';
import { makeFolder, readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { makeSecret } from '../host/secret-file.ts';
import { keyFile } from './repository.ts';

/** Without look-alike characters. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 6;
const groupLength = 5;

/** Returns the stored password of the server or of the person; generates it if it is missing. */
export async function readOrMakePassword(host: Host, key: 'server' | 'person'): Promise<string> {
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
export async function readPassword(
  host: Host,
  key: 'server' | 'person',
): Promise<string | undefined> {
  return (await readText(host, keyFile(key)))?.trim() || undefined;
}

/** Returns the last group of a password, which a person types back. */
export function lastGroup(password: string): string {
  return password.slice(password.lastIndexOf('-') + 1);
}
