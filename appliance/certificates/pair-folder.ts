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
 * A place for a pair: a symbolic link to a folder with both files, so that chain and key change in
 * one step and a power cut never leaves one without the other.
 */
export async function readPair(host: Host, place: string): Promise<Pair | undefined> {
  const chain = await readText(host, `${place}/${chainName}`);
  const key = await readText(host, `${place}/${keyName}`);
  return chain === undefined || key === undefined ? undefined : { chain, key };
}

/**
 * Puts a pair in its place and removes the one that was there.
 * @param owner numeric user and group that alone may read the key
 */
export async function writePair(
  host: Host,
  place: string,
  pair: Pair,
  owner: number,
): Promise<void> {
  const name = `${basename(place)}.${createHash('sha256').update(pair.chain).digest('hex').slice(0, 16)}`;
  const folder = join(dirname(place), name);
  await makeFolder(host, folder);
  await writeText(host, `${folder}/${chainName}`, pair.chain);
  await writeText(host, `${folder}/${keyName}`, pair.key, { mode: 0o400, uid: owner });
  await replaceLink(host.path(place), name);
  await removeOthers(host, place, name);
}

async function removeOthers(host: Host, place: string, keep: string): Promise<void> {
  const parent = host.path(dirname(place));
  const prefix = `${basename(place)}.`;
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix) && name !== keep) await rm(join(parent, name), { recursive: true });
  }
}
