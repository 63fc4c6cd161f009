import { withoutAccount } from './redaction.ts';

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
 * The provider's headers that clients receive, with the form of their values: free text may quote the
 * provider's key. Cookies are left out, and so are the organization and the quotas of the account that
 * all keys share. Content-Encoding is left out because bodies were unpacked.
 */
const toClient: Readonly<Record<string, RegExp>> = {
  'content-type': /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=(?:"[\w .:-]*"|[\w.:-]+))*$/,
  'content-length': /^\d+$/,
  'content-disposition':
    /^(?:inline|attachment)(?:; ?filename=(?:"[\w .-]{1,128}"|[\w.-]{1,128}))?$/,
  'openai-processing-ms': /^\d+(?:\.\d+)?$/,
  'openai-version': /^[\w.-]{1,32}$/,
  'retry-after': /^(?:\d{1,9}(?:\.\d+)?|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT)$/,
  'retry-after-ms': /^\d{1,9}(?:\.\d+)?$/,
  'x-request-id': /^[\w.:-]{1,128}$/,
  'x-should-retry': /^(?:true|false)$/,
};

/** The headers of a request to a provider: the client's allowed ones, and the provider's key. */
export function providerHeaders(client: Headers, key: string, hasBody: boolean): Headers {
  const headers = new Headers();
  for (const name of toProvider) {
    const value = client.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (!hasBody) headers.delete('content-length');
  headers.set('authorization', `Bearer ${key}`);
  // Compressing would hold back the small pieces of a stream.
  headers.set('accept-encoding', 'identity');
  headers.set('user-agent', 'landfall-relay');
  return headers;
}

/**
 * The headers of an answer to a client: the provider's allowed ones, and what keeps it private.
 * @param key the provider's own, which no header may have
 */
export function clientHeaders(provider: Headers, key: string): Headers {
  const headers = new Headers();
  for (const [name, shape] of Object.entries(toClient)) {
    const value = provider.get(name);
    if (value !== null && shape.test(value) && withoutAccount(value, key) === value)
      headers.set(name, value);
  }
  // A runtime unpacked the body; the length would be that of the packed one.
  if (provider.has('content-encoding')) headers.delete('content-length');
  headers.set('cache-control', 'no-store');
  headers.set('x-content-type-options', 'nosniff');
  // nginx would gather a stream otherwise.
  headers.set('x-accel-buffering', 'no');
  return headers;
}
