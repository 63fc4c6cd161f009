import { authenticate } from './authenticate.ts';
import type { ClientKey } from './client-key.ts';
import { findTarget } from './endpoints.ts';
import type { Provider, RelayEnv } from './env.ts';
import { isRefusal, type Refusal } from './refusal.ts';

/** A request that may be passed on. */
export interface Admission {
  readonly client: ClientKey;
  readonly provider: Provider;
  /** What follows `/v1`. */
  readonly endpoint: string;
  /** Gives the request's place among those of its key back. */
  readonly release: () => void;
}

/**
 * Judges a request by its head alone: the key, then the path, the provider, the announced size, and
 * last the limits, so that only what would be passed on counts.
 * @param progress told what is known so far, for the log
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
  const provider = providerOf(target.provider, client, env);
  if (isRefusal(provider)) return provider;
  progress({ provider: provider.name });
  if (provider.key === undefined) return { refused: 'provider_key_missing' };
  if (url.search.length > longestQuery) return { refused: 'relay_request_invalid' };
  if (Number(request.headers.get('content-length') ?? 0) > client.limits.body_bytes)
    return { refused: 'relay_body_too_large' };
  const release = env.usage.take(client);
  return typeof release === 'function' ? { client, provider, endpoint, release } : release;
}

const longestQuery = 2048;

function providerOf(
  named: string | undefined,
  client: ClientKey,
  { providers, defaultProvider }: RelayEnv,
): Provider | Refusal {
  const provider = providers.get(named ?? defaultProvider ?? '');
  if (!provider) return { refused: 'relay_provider_unknown' };
  const allowed = client.providers?.has(provider.name) ?? true;
  return allowed ? provider : { refused: 'relay_provider_forbidden' };
}
