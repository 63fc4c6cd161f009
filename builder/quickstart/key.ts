import { access, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { generateKey } from '../sign/generate-key.ts';
import { readSigningKey, type SigningKey } from '../sign/private-key.ts';

/** The key of the quickstart: made on the first run, used again on the next. */
export async function quickstartKey(folder: string): Promise<SigningKey> {
  const path = resolve(folder, 'release.key');
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (!exists) await writeFile(path, generateKey(undefined).privatePem, { mode: 0o600 });
  return readSigningKey(path, { env: {}, stdin: process.stdin });
}
