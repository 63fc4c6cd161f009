import type { Refusal } from './refusal.ts';

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
export interface Target {
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
export function findTarget(method: string, pathname: string): Target | Refusal {
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
