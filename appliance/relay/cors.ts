import type { Answer, RelayRequest } from './message.ts';

/** Headers of responses that pages may read besides the default ones. */
const exposed = [
  ...['request-id', 'retry-after', 'x-request-id', 'x-should-retry'],
  ...['x-relay-remaining-requests', 'x-relay-remaining-tokens'],
].join(', ');

/**
 * Returns the headers that let a page read a response (Fetch standard, "CORS protocol"); none for a
 * request of another client, or of another origin. Keys are bearer tokens, so no page can use the key of
 * a visitor, and `*` allows no cookies.
 * @param origins allowed ones, or `*`
 */
export function corsHeaders(
  { headers }: RelayRequest,
  origins: readonly string[],
): Answer['headers'] | undefined {
  const origin = headers.get('origin');
  if (origin === null) return undefined;
  const allows = { 'access-control-expose-headers': exposed };
  if (origins.includes('*')) return { ...allows, 'access-control-allow-origin': '*' };
  if (!origins.includes(origin)) return undefined;
  return { ...allows, 'access-control-allow-origin': origin, vary: 'Origin' };
}

/** Returns the response to a preflight, which browsers send without a key; undefined for another request. */
export function preflightResponse(
  { method, headers }: RelayRequest,
  cors: Answer['headers'],
): Answer | undefined {
  if (method !== 'OPTIONS' || headers.get('access-control-request-method') === null)
    return undefined;
  const asked = headers.get('access-control-request-headers') ?? '';
  return {
    status: 204,
    headers: {
      ...cors,
      'access-control-allow-methods': 'GET, HEAD, POST',
      // `*` does not include authorization.
      ...(namesPattern.test(asked) ? { 'access-control-allow-headers': asked } : {}),
      'access-control-max-age': '600',
    },
    body: null,
  };
}

const namesPattern = /^[\w-]{1,64}(?:, ?[\w-]{1,64}){0,63}$/;
