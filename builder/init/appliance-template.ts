import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lockFileText, lockPathFor, readLock } from '../lock/lock-file.ts';

const reference = fileURLToPath(new URL('../../appliance/appliance.yaml', import.meta.url));

/** The text of appliance.yaml to begin with: the reference appliance, its schema found beside it. */
export async function applianceTemplate(): Promise<string> {
  const text = await readFile(reference, 'utf8');
  return text.replace(/\$schema=\S+/, '$schema=./.landfall/appliance.schema.json');
}

/**
 * The lock of the reference appliance, so that a first build asks no registry. Its comments say how
 * the reference was locked, which is not true of another project: they stay behind.
 * @throws LandfallError LOCK_INVALID
 */
export async function lockTemplate(): Promise<string> {
  const path = lockPathFor(reference);
  const lock = await readLock(path);
  if (!lock) throw new Error(`${path} is missing`);
  return lockFileText(lock);
}
