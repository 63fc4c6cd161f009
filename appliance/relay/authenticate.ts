import type { ClientKey } from './client-key.ts';
import type { Refusal } from './refusal.ts';

const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i;

/**
 * Returns the client key of a request (SPEC 5, "Relay API"). The key is hashed first and compared with
 * every known hash in constant time, so response times leak no information about keys.
 */
export async function authenticate(
  headers: Headers,
  keys: readonly ClientKey[],
): Promise<ClientKey | Refusal> {
  const authorization = headers.get('authorization');
  if (authorization === null) return { refused: 'relay_key_missing' };
  const given = bearer.exec(authorization)?.[1];
  if (given === undefined) return { refused: 'relay_key_invalid' };
  const hash = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(given)),
  );
  const matching = keys.filter(({ sha256 }) => isEqual(sha256, hash));
  return matching[0] ?? { refused: 'relay_key_invalid' };
}

/** Compares in constant time. */
function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [index, byte] of other.entries()) difference |= byte ^ (one[index] ?? 0);
  return difference === 0;
}
