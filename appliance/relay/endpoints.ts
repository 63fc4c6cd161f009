import type { Refusal } from './refusal.ts';

/**
 * What the relay passes on below `/v1`: asking a model for something, and which models there are.
 * Not what belongs to the account as a whole, which all keys share: files, batches, stored answers,
 * fine-tuning, bills.
 */
const endpoints: ReadonlyArray<{ readonly path: RegExp; readonly method: 'GET' | 'POST' }> = [
  { path: /^\/models$/, method: 'GET' },
  // Some providers have slashes in the names of their models.
  { path: /^\/models(?:\/[\w:@-][\w.:@-]*){1,4}$/, method: 'GET' },
  { path: /^\/(?:chat\/)?completions$/, method: 'POST' },
  { path: /^\/responses$/, method: 'POST' },
  { path: /^\/embeddings$/, method: 'POST' },
  { path: /^\/moderations$/, method: 'POST' },
  { path: /^\/images\/(?:generations|edits|variations)$/, method: 'POST' },
  { path: /^\/audio\/(?:speech|transcriptions|translations)$/, method: 'POST' },
];

/** A request that may be passed on, as far as its path tells. */
interface Target {
  /** Nothing for `/v1/…`: the default provider. */
  readonly provider: string | undefined;
  /** What follows `/v1`, as `/chat/completions`. */
  readonly endpoint: string;
}

/** `/v1/…` or `/<provider>/v1/…`; after that, only plain letters. */
const pathPattern = /^(?:\/([a-z][a-z0-9-]{0,31}))?\/v1(\/[\w.:@/-]{1,256})$/;

/** Reads where a request wants to go. Nothing is decoded: no path in the table has an escape. */
export function findTarget(method: string, pathname: string): Target | Refusal {
  const [, provider, endpoint] = pathPattern.exec(pathname) ?? [];
  if (endpoint === undefined) return { refused: 'relay_path_unknown' };
  const known = endpoints.find(({ path }) => path.test(endpoint));
  if (!known) return { refused: 'relay_path_unknown' };
  if (known.method !== method)
    return { refused: 'relay_method_not_allowed', headers: { allow: known.method } };
  return { provider, endpoint };
}
