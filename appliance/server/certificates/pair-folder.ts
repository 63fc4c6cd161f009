import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { replaceLink } from '#files/replace-link.ts';
import { makeFolder, readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { Pair } from './pair.ts';

const chainName = 'fullchain.pem';
const keyName = 'privkey.pem';

/**
 * Returns a pair; undefined if a file is missing.
 * @param path a symbolic link to a folder with both files, so that chain and key change atomically
 * @param within the folder that a container writes; links out of it count as missing
 */
export async function readPair(
  host: Host,
  path: string,
  within?: string,
): Promise<Pair | undefined> {
  const chain = await readText(host, `${path}/${chainName}`, within);
  const key = await readText(host, `${path}/${keyName}`, within);
  return chain === undefined || key === undefined ? undefined : { chain, key };
}

/**
 * Writes a pair and removes the previous one.
 * @param owner UID and GID of the key file, which only its owner can read
 */
export async function writePair(
  host: Host,
  path: string,
  pair: Pair,
  owner: number,
): Promise<void> {
  const name = `${basename(path)}.${createHash('sha256').update(pair.chain).digest('hex').slice(0, 16)}`;
  const folder = join(dirname(path), name);
  await makeFolder(host, folder);
  await writeText(host, `${folder}/${chainName}`, pair.chain);
  await writeText(host, `${folder}/${keyName}`, pair.key, { mode: 0o400, uid: owner });
  await replaceLink(host.path(path), name);
  await removeOthers(host, path, name);
}

async function removeOthers(host: Host, path: string, keep: string): Promise<void> {
  const parent = host.path(dirname(path));
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix) && name !== keep) await rm(join(parent, name), { recursive: true });
  }
}
