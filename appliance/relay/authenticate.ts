import { sha256 } from '#platform/sha256.ts';
import type { Format } from './formats/format.ts';
import { formats } from './formats/request-format.ts';
import type { ClientKey } from './key-usage.ts';
import type { RelayRequest } from './message.ts';
import type { Refusal } from './refusal.ts';

const authorizationPattern = /^(Bearer|Basic) +([\x21-\x7e]{1,1024})$/i;
const encoder = new TextEncoder();
const plainKey = /^[\x21-\x7e]{1,512}$/;
/** Headers with a key besides `Authorization`, in the formats of the clients. */
const keyHeaders = Object.values(formats).flatMap(({ keyHeader }: Format) => keyHeader ?? []);

/**
 * Returns the client key of a request (SPEC 5, "Relay API"): the first valid one of `Authorization`, of the
 * headers of the formats, and of the parameter of the client's format. Clients also send keys of other
 * services. Keys are hashed first and compared with every known hash in constant time, so response times
 * leak no information about keys.
 */
export function authenticate(
  { headers }: RelayRequest,
  url: URL,
  format: Format,
  keys: readonly ClientKey[],
): ClientKey | Refusal {
  const texts = [
    ...[headers.get('authorization')].map((text) => text && tokenOf(text)),
    ...keyHeaders.map((name) => headers.get(name)),
    format.keyParameter ? url.searchParams.get(format.keyParameter) : null,
  ];
  const found = texts.filter((text) => text !== null);
  if (found.length === 0) return { refused: 'relay_key_missing' };
  for (const token of found.filter((text) => plainKey.test(text))) {
    const hash = sha256(encoder.encode(token));
    const [matching] = keys.filter((key) => isEqual(key.sha256, hash));
    if (matching) return matching;
  }
  return { refused: 'relay_key_invalid' };
}

/** Returns a bearer token, or the password of Basic; empty for anything else. */
function tokenOf(authorization: string): string {
  const [, scheme = '', text = ''] = authorizationPattern.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return text;
  try {
    return /:(.*)$/s.exec(atob(text))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** Compares in constant time. */
function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < other.length; at += 1) difference |= (other[at] ?? 0) ^ (one[at] ?? 0);
  return difference === 0;
}

/** Returns a query without the parameter of the key; everything else stays as the client encoded it. */
export function withoutKey(search: string, { keyParameter }: Format): string {
  if (keyParameter === undefined || search === '') return search;
  const parts = search.slice(1).split('&');
  const kept = parts.filter((part) => !new URLSearchParams(part).has(keyParameter));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
