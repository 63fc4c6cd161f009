import type { Fields } from './message.ts';
import type { Provider } from './provider.ts';
import { withoutAccount } from './redact/redaction.ts';

/** The header in which the gateway sends the address of its client. */
export const addressHeader = 'x-real-ip';

/** Client headers that every provider receives. Its format has more. None identifies the client. */
const toProvider = ['accept', 'content-type', 'content-length'];

/**
 * Provider headers that clients receive, with the format of their values, because free text may quote
 * the provider's key. Cookies are excluded, and so are the organization and quotas of the account that
 * all keys share. Content-Encoding is excluded because bodies are decompressed.
 */
const toClient: Readonly<Record<string, RegExp>> = {
  'content-type': /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=(?:"[\w .:-]*"|[\w.:-]+))*$/,
  'content-length': /^\d+$/,
  'content-disposition':
    /^(?:inline|attachment)(?:; ?filename=(?:"[\w .-]{1,128}"|[\w.-]{1,128}))?$/,
  'openai-processing-ms': /^\d+(?:\.\d+)?$/,
  'openai-version': /^[\w.-]{1,32}$/,
  'retry-after': /^(?:\d{1,9}(?:\.\d+)?|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT)$/,
  'request-id': /^[\w.:-]{1,128}$/,
  'retry-after-ms': /^\d{1,9}(?:\.\d+)?$/,
  'x-request-id': /^[\w.:-]{1,128}$/,
  'x-should-retry': /^(?:true|false)$/,
};

/** Headers of every response with the content of a provider. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Returns the headers of a request to a provider: the allowed client headers and the provider's key. */
export function providerHeaders(
  client: Fields,
  { format, key }: Provider,
  hasBody: boolean,
): Record<string, string> {
  const headers: Record<string, string> = { ...format.required };
  for (const name of [...toProvider, ...format.forwarded]) {
    const value = client.get(name);
    if (value !== null) headers[name] = value;
  }
  if (!hasBody) delete headers['content-length'];
  if (key !== undefined) Object.assign(headers, format.keyHeaders(key));
  // Compression would delay the small chunks of a stream.
  headers['accept-encoding'] = 'identity';
  headers['user-agent'] = 'landfall-relay';
  return headers;
}

/**
 * Returns the headers of a response to a client: the allowed provider headers and security headers.
 * @param key the provider's key; a header that contains it is dropped
 */
export function clientHeaders(provider: Fields, key: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, shape] of Object.entries(toClient)) {
    const value = provider.get(name);
    if (value !== null && shape.test(value) && withoutAccount(value, key) === value)
      headers[name] = value;
  }
  // The body was decompressed, and the length is that of the compressed one.
  if (provider.get('content-encoding') !== null) delete headers['content-length'];
  Object.assign(headers, securityHeaders);
  // Without this header nginx buffers the stream.
  headers['x-accel-buffering'] = 'no';
  return headers;
}
