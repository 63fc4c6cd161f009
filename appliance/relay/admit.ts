import type { ClientKey } from './client-key.ts';
import { findTarget, type Target } from './endpoints.ts';
import type { Provider, RelayEnv } from './env.ts';
import { isRefusal, type Refusal } from './refusal.ts';

/** A request that may be forwarded. */
export interface Admission {
  readonly client: ClientKey;
  readonly provider: Provider;
  /** The path after the base URL of the provider. */
  readonly endpoint: string;
  /** Releases the concurrency slot of the request. */
  readonly release: () => void;
}

/**
 * Checks a request by its headers: the key, the path, the provider, the declared size, and then the
 * limits. Limits come last, so that only requests that would be forwarded count.
 * @param progress called after each check with the fields for the log
 */
export async function admit(
  request: Request,
  url: URL,
  env: RelayEnv,
  progress: (known: { key?: string; provider?: string; endpoint?: string }) => void,
): Promise<Admission | Refusal> {
  const client = await authenticate(request.headers, env.keys);
  if (isRefusal(client)) return client;
  progress({ key: client.name });
  const target = findTarget(request.method, url.pathname);
  if (isRefusal(target)) return target;
  const { endpoint } = target;
  progress({ endpoint });
  const provider = providerOf(target, client, env);
  if (isRefusal(provider)) return provider;
  progress({ provider: provider.name });
  if (provider.key === undefined) return { refused: 'provider_key_missing' };
  if (url.search.length > maxQuery) return { refused: 'relay_request_invalid' };
  if (Number(request.headers.get('content-length') ?? 0) > client.limits.body_bytes)
    return { refused: 'relay_body_too_large' };
  const release = env.usage.take(client);
  return typeof release === 'function' ? { client, provider, endpoint, release } : release;
}

const maxQuery = 2048;

function providerOf(
  { provider: named, isHub }: Target,
  client: ClientKey,
  { providers, hub, defaultProvider }: RelayEnv,
): Provider | Refusal {
  const provider = isHub ? hub : providers.get(named ?? defaultProvider ?? '');
  if (!provider) return { refused: 'relay_provider_unknown' };
  const allowed = client.providers?.has(provider.name) ?? true;
  return allowed ? provider : { refused: 'relay_provider_forbidden' };
}

const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i;

/**
 * Returns the client key of a request (SPEC 5, "Relay API"). The key is hashed first and compared with
 * every known hash in constant time, so response times leak no information about keys.
 */
async function authenticate(
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
