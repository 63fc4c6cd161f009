import type { Provider, RelayEnv } from './env.ts';
import type { ClientKey } from './key-usage.ts';
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
  const destination = findDestination(request.method, url.pathname);
  if (isRefusal(destination)) return destination;
  const { endpoint } = destination;
  progress({ endpoint });
  const provider = providerOf(destination, client, env);
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
  { provider: named, isHub }: Destination,
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
  const token = bearer.exec(authorization)?.[1];
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

/**
 * The endpoints below `/v1` that the relay forwards: inference, and the list of models. Endpoints of
 * the account are excluded, because all keys share it: files, batches, stored responses, fine-tuning
 * and billing.
 */
const endpoints: ReadonlyArray<{ readonly path: RegExp; readonly method: 'GET' | 'POST' }> = [
  { path: /^\/models$/, method: 'GET' },
  // Some providers use slashes in model names.
  { path: /^\/models(?:\/[\w:@-][\w.:@-]*){1,4}$/, method: 'GET' },
  { path: /^\/(?:chat\/)?completions$/, method: 'POST' },
  // All three are stateless. Stored responses are not.
  { path: /^\/responses(?:\/(?:compact|input_tokens))?$/, method: 'POST' },
  { path: /^\/embeddings$/, method: 'POST' },
  { path: /^\/moderations$/, method: 'POST' },
  { path: /^\/images\/(?:generations|edits|variations)$/, method: 'POST' },
  { path: /^\/audio\/(?:speech|transcriptions|translations)$/, method: 'POST' },
];

/** Name of the model hub in keys, logs and paths. */
export const hubName = 'hub';

/** `/hub/models/<model>` (SPEC 4, E4): the name of a model, or its organization and name. */
const hubPattern = /^\/hub(\/models(?:\/[\w-][\w.-]{0,95}){1,2})$/;

/** The provider and endpoint that a path selects. */
interface Destination {
  /** Undefined for `/v1/…`, the default provider. */
  readonly provider: string | undefined;
  /** The path after `/v1`, such as `/chat/completions`; after `/hub` for the hub. */
  readonly endpoint: string;
  /** Whether the hub is selected instead of a provider. */
  readonly isHub?: true;
}

/** `/v1/…` or `/<provider>/v1/…`. */
const pathPattern = /^(?:\/([a-z][a-z0-9-]{0,31}))?\/v1(\/(?:[\w.:@/-]|%2[Ff]|%3[Aa]|%40){1,256})$/;

/**
 * Decodes the name of a model, because clients send `/models/org%2Fmodel`. Decodes once and only these
 * characters: the pattern of names then rejects dot segments and further escapes.
 */
function decoded(endpoint: string): string {
  if (!endpoint.startsWith('/models/')) return endpoint;
  return endpoint.replace(/%(?:2f|3a|40)/gi, (character) => decodeURIComponent(character));
}

/**
 * Returns the target of a request. The path is checked as the provider decodes it, and forwarded as the
 * client encoded it.
 */
export function findDestination(method: string, pathname: string): Destination | Refusal {
  const [, model] = hubPattern.exec(pathname) ?? [];
  if (model !== undefined) {
    if (method === 'POST') return { provider: hubName, endpoint: model, isHub: true };
    return { refused: 'relay_method_not_allowed', headers: { allow: 'POST' } };
  }
  const [, provider, endpoint] = pathPattern.exec(pathname) ?? [];
  if (endpoint === undefined) return { refused: 'relay_path_unknown' };
  const plain = decoded(endpoint);
  const known = endpoints.find(({ path }) => path.test(plain));
  if (!known) return { refused: 'relay_path_unknown' };
  if (known.method !== method)
    return { refused: 'relay_method_not_allowed', headers: { allow: known.method } };
  return { provider, endpoint };
}
