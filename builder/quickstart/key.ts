import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKey } from '../sign/generate-key.ts';
import { keyFolder } from '../sign/key-folder.ts';
import { writeKeyPair } from '../sign/key-pair-files.ts';
import { readSigningKey, type SigningKey } from '../sign/private-key.ts';

/** Returns the key of the quickstart, which the first run generates. */
export async function quickstartKey(env: NodeJS.ProcessEnv): Promise<SigningKey> {
  const base = join(keyFolder(env), 'quickstart');
  const exists = await access(`${base}.key`).then(
    () => true,
    () => false,
  );
  if (!exists) await writeKeyPair(base, generateKey(undefined), env);
  return readSigningKey(`${base}.key`, { env: {}, stdin: process.stdin });
}
