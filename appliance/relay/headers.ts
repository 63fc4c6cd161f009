/** What of a client's headers a provider gets to see. Nothing that says who or where the client is. */
const toProvider = [
  'accept',
  'content-type',
  'content-length',
  'idempotency-key',
  'openai-beta',
  'x-client-request-id',
];

/**
 * What of a provider's headers a client gets to see. Not cookies, and not what tells of the account
 * that all keys share: its organization, its quotas.
 */
const toClient = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
  'openai-processing-ms',
  'openai-version',
  'retry-after',
  'retry-after-ms',
  'x-request-id',
  'x-should-retry',
];

/** The headers of a request to a provider: the client's allowed ones, and the provider's key. */
export function providerHeaders(client: Headers, key: string, hasBody: boolean): Headers {
  const headers = picked(client, toProvider);
  if (!hasBody) headers.delete('content-length');
  headers.set('authorization', `Bearer ${key}`);
  // Compressing would hold back the small pieces of a stream.
  headers.set('accept-encoding', 'identity');
  headers.set('user-agent', 'landfall-relay');
  return headers;
}

/** The headers of an answer to a client: the provider's allowed ones, and what keeps it private. */
export function clientHeaders(provider: Headers): Headers {
  const headers = picked(provider, toClient);
  // A runtime may have unpacked the body already; then the length would be that of the packed one.
  if (headers.has('content-encoding')) headers.delete('content-length');
  headers.set('cache-control', 'no-store');
  headers.set('x-content-type-options', 'nosniff');
  // nginx would gather a stream otherwise.
  headers.set('x-accel-buffering', 'no');
  return headers;
}

function picked(from: Headers, names: readonly string[]): Headers {
  const headers = new Headers();
  for (const name of names) {
    const value = from.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}
