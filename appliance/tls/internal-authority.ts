import { makePair } from '../certificates/make-pair.ts';
import { judgePair, leafOf, type Pair } from '../certificates/pair.ts';
import { readPair, writePair } from '../certificates/pair-folder.ts';
import type { Host } from '../host/host.ts';

/** The server's own authority. Its certificate is for everybody to install, its key for nobody. */
export const authorityPlace = 'etc/landfall/authority/ca';
const root = 0;

const authorityDays = 3650;
/** No browser takes longer ones of a server. Days. */
const leafDays = 397;
/** From here on before its end a certificate is made anew. */
const renewBeforeMs = 30 * 24 * 60 * 60 * 1000;

/** The server's own authority, made where there is none. */
export async function internalAuthority(host: Host): Promise<Pair> {
  const there = await readPair(host, authorityPlace);
  if (there && judgePair(there, [], new Date()).length === 0) return there;
  const subject = `Landfall authority of ${await hostName(host)}`;
  const made = await makePair(host, { subject, names: [], authority: true, days: authorityDays });
  await writePair(host, authorityPlace, made, root);
  return made;
}

/**
 * A certificate of the server's own authority for these names: the one in place where it is good
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
  const [leaf, issuer] = [leafOf(pair.chain), leafOf(authority.chain)];
  if (!leaf || !issuer?.publicKey) return false;
  return leaf.verify(issuer.publicKey) && judgePair(pair, names, soon).length === 0;
}

/** Fits into the 64 characters that a subject may have (RFC 5280, ub-common-name). */
async function hostName(host: Host): Promise<string> {
  const { stdout } = await host.run('hostname', []);
  return stdout.replace(/[^A-Za-z0-9.-]/g, '').slice(0, 32);
}
