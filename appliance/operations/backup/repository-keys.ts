import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { readJson } from '#contract/text/json.ts';
import type { Host } from '../../server/host/host.ts';
import { backupKeys, keysInside, type Repository } from './repository.ts';
import { restic } from './restic.ts';

/** What restic 0.14 and later print for each key. IDs are 8 or 64 characters long. */
const keysSchema = z.array(
  z.object({ current: z.boolean(), id: z.string(), userName: z.string(), hostName: z.string() }),
);
type Keys = z.infer<typeof keysSchema>;

/** User and host of the keys of persons in the list of restic. */
export const person = 'person';

/** Gives a stored password of the person a key of the repository. @throws LandfallError BACKUP_… */
export async function addKey(
  host: Host,
  repository: Repository,
  password: 'person' | 'next',
): Promise<void> {
  const file = `${keysInside}/${backupKeys[password]}`;
  const names = ['--user', person, '--host', person];
  await restic(host, repository, ['key', 'add', '--new-password-file', file, ...names]);
}

/** Returns the keys of a repository. @param key the password that opens it @throws LandfallError BACKUP_… */
export async function listKeys(
  host: Host,
  repository: Repository,
  key: 'server' | 'next' = 'server',
): Promise<Keys> {
  const args = ['key', 'list', '--json', '--no-lock'];
  const printed = await restic(host, repository, args, { key, seconds: 120 });
  const keys = readJson(keysSchema, printed);
  if (keys) return keys;
  throw new LandfallError(
    'BACKUP_FAILED',
    `restic printed no list of the keys at ${repository.name}`,
    {
      hint: {
        en: 'Report this bug with the output of `restic version`.',
        zh: '请附上 `restic version` 的输出报告这个缺陷。',
      },
      retriable: false,
    },
  );
}
