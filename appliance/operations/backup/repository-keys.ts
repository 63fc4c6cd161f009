import { z } from 'zod';
import { backupKeys, keysInside } from './repository.ts';
import type { Restic } from './restic.ts';

/** What restic 0.14 and later print for each key. IDs are 8 or 64 characters long. */
const keysSchema = z.array(
  z.object({ current: z.boolean(), id: z.string(), userName: z.string(), hostName: z.string() }),
);

/** User and host of the keys of persons in the list of restic. */
export const person = 'person';

/** Gives a stored password of the person a key of the repository. @throws LandfallError BACKUP_… */
export async function addKey(restic: Restic, password: 'person' | 'next'): Promise<void> {
  const file = `${keysInside}/${backupKeys[password]}`;
  const names = ['--user', person, '--host', person];
  await restic.run(['key', 'add', '--new-password-file', file, ...names]);
}

/** Returns the keys of a repository. @throws LandfallError BACKUP_… */
export async function listKeys(restic: Restic): Promise<z.infer<typeof keysSchema>> {
  return await restic.list('the keys', keysSchema, ['key', 'list'], { seconds: 120 });
}
