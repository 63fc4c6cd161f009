import { stackFolder } from '#contract/server-paths.ts';
import { readText, removeFile, statIfPresent, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { authorityFolder, internalAuthority, isSignedBy } from './internal-authority.ts';
import { makePair } from './make-pair.ts';
import { checkPair, leafOf, type Pair } from './pair.ts';
import { readPair } from './pair-folder.ts';

/** The file with HAProxy's client certificate for engine nodes, its authority and its key. */
export const clientPairFile = `${stackFolder}/balancer/client.pem`;

const mode = 0o400;
const day = 24 * 60 * 60 * 1000;

/** Returns whether HAProxy has a valid client certificate of the server's own authority. */
export async function hasClientPair(host: Host): Promise<boolean> {
  return (await readClientPair(host)) !== undefined;
}

/** Returns the client certificate; undefined if it is missing, invalid or of a previous authority. */
export async function readClientPair(host: Host): Promise<Pair | undefined> {
  const text = await readText(host, clientPairFile);
  const authority = await readPair(host, authorityFolder);
  if (text === undefined || authority === undefined) return undefined;
  const pair = { chain: text, key: text };
  const isValid =
    isSignedBy(pair, authority) &&
    [authority, pair].every((each) => checkPair(each, [], new Date()).length === 0) &&
    ((await statIfPresent(host, clientPairFile))?.mode ?? 0) % 0o1000 === mode;
  return isValid ? pair : undefined;
}

/**
 * Creates HAProxy's client certificate if there is no valid one. It is not in a backup: nodes verify its
 * authority only, which is.
 * @param owner UID and GID of the file, which only its owner can read
 */
export async function ensureClientPair(host: Host, owner: number): Promise<void> {
  if (await hasClientPair(host)) return;
  const authority = await internalAuthority(host);
  const end = leafOf(authority.chain)?.validToDate.getTime() ?? 0;
  const days = Math.max(1, Math.floor((end - Date.now()) / day));
  const request = { subject: 'landfall balancer', names: [], usage: 'clientAuth', days } as const;
  const { chain, key } = await makePair(host, request, authority);
  await writeText(host, clientPairFile, `${chain}${key}`, { mode, uid: owner });
}

/** Removes the client certificate of a site without engines. */
export async function removeClientPair(host: Host): Promise<void> {
  await removeFile(host, clientPairFile);
}
