import type { Host } from '../host/host.ts';
import { serverName } from '../host/server.ts';
import { makePair } from './make-pair.ts';
import { checkPair, leafOf, type Pair } from './pair.ts';
import { readPair, writePair } from './pair-folder.ts';

/** Folder of the server's own authority. Its certificate is published, and its key never is. */
export const authorityFolder = 'etc/landfall/authority/ca';
const root = 0;

const authorityDays = 3650;
/** Browsers reject server certificates with a longer lifetime. Days. */
const leafDays = 397;
/** A certificate is renewed when less than this remains. */
const renewBeforeMs = 30 * 24 * 60 * 60 * 1000;

/** Returns the server's own authority. Creates it if it is missing or invalid. */
export async function internalAuthority(host: Host): Promise<Pair> {
  const existing = await readPair(host, authorityFolder);
  if (existing && checkPair(existing, [], new Date()).length === 0) return existing;
  const subject = `Landfall authority of ${await hostName(host)}`;
  const made = await makePair(host, { subject, names: [], authority: true, days: authorityDays });
  await writePair(host, authorityFolder, made, root);
  return made;
}

/**
 * Returns a certificate of the server's own authority for these names: the current one if it is valid
 * for another month, else a new one.
 */
export async function internalPair(
  host: Host,
  current: Pair | undefined,
  names: readonly string[],
): Promise<Pair> {
  const authority = await internalAuthority(host);
  if (current && isGood(current, authority, names)) return current;
  const subject = names[0] ?? 'landfall';
  return await makePair(host, { subject, names, days: leafDays }, authority);
}

function isGood(pair: Pair, authority: Pair, names: readonly string[]): boolean {
  const soon = new Date(Date.now() + renewBeforeMs);
  return isSignedBy(pair, authority) && checkPair(pair, names, soon).length === 0;
}

/** Returns whether an authority issued the certificate of a pair. */
export function isSignedBy(pair: Pair, authority: Pair): boolean {
  const [leaf, issuer] = [leafOf(pair.chain), leafOf(authority.chain)];
  return leaf !== undefined && issuer !== undefined && leaf.verify(issuer.publicKey);
}

/** Returns the host name, short enough for a subject of 64 characters (RFC 5280, ub-common-name). */
async function hostName(host: Host): Promise<string> {
  return (await serverName(host)).replace(/[^A-Za-z0-9.-]/g, '').slice(0, 32);
}

/** Returns the SHA-256 of the authority's certificate, to verify it before it is installed. */
export async function authorityFingerprint(host: Host): Promise<string | undefined> {
  return leafOf((await readPair(host, authorityFolder))?.chain ?? '')?.fingerprint256;
}
