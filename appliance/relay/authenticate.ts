import type { Format } from './formats/format.ts';
import type { ClientKey } from './key-usage.ts';
import type { Refusal } from './refusal.ts';

const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i;
const plainKey = /^[\x21-\x7e]{1,512}$/;

/**
 * Returns the client key of a request (SPEC 5, "Relay API"): that of `Authorization`, else that of the
 * header or parameter of the client's format. The key is hashed first and compared with every known
 * hash in constant time, so response times leak no information about keys.
 */
export async function authenticate(
  { headers }: Request,
  query: URLSearchParams,
  format: Format,
  keys: readonly ClientKey[],
): Promise<ClientKey | Refusal> {
  const authorization = headers.get('authorization');
  const own = format.keyHeader && headers.get(format.keyHeader);
  const text = authorization ?? own ?? (format.keyParameter && query.get(format.keyParameter));
  if (text === null || text === undefined) return { refused: 'relay_key_missing' };
  const token = authorization === null ? plainKey.exec(text)?.[0] : bearer.exec(text)?.[1];
  if (token === undefined) return { refused: 'relay_key_invalid' };
  const hash = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)),
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

/** Returns a query without the parameter of the key; everything else stays as the client encoded it. */
export function withoutKey(search: string, { keyParameter }: Format): string {
  if (keyParameter === undefined || search === '') return search;
  const parts = search.slice(1).split('&');
  const kept = parts.filter((part) => !new URLSearchParams(part).has(keyParameter));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
