import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lockFileText, lockPathFor, readLock } from '../lock/lock-file.ts';

const reference = fileURLToPath(new URL('../../appliance/appliance.yaml', import.meta.url));

const clients = `
# The proxy client that the site requires. Its license is GPL-3.0-or-later.
clients:
  sing-box: {}
`;

/** Returns the text of a new appliance.yaml: the reference appliance with the path of its schema. */
export async function applianceTemplate(needs: { readonly hasClient: boolean }): Promise<string> {
  const text = await readFile(reference, 'utf8');
  const own = text.replace(/\$schema=\S+/, '$schema=./.landfall/appliance.schema.json');
  return needs.hasClient ? `${own}${clients}` : own;
}

/**
 * Returns the lock of the reference appliance, so that `landfall lock` resolves only what it does
 * not have. Its comments are dropped, because they apply only to the reference.
 * @throws LandfallError LOCK_INVALID
 */
export async function lockTemplate(): Promise<string> {
  const path = lockPathFor(reference);
  const lock = await readLock(path);
  if (!lock) throw new Error(`${path} is missing`);
  return lockFileText(lock);
}
