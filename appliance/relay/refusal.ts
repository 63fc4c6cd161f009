/**
 * Everything that the relay itself answers instead of a provider, by code. The messages are for the
 * people behind a client; they name no address, no key and no cause.
 */
const refusals = {
  relay_key_missing: [
    401,
    'authentication_error',
    'this relay wants a key: Authorization: Bearer <relay key>',
  ],
  relay_key_invalid: [401, 'authentication_error', 'this relay does not know the key'],
  relay_request_invalid: [
    400,
    'invalid_request_error',
    'this is not a request that a relay can pass on',
  ],
  relay_path_unknown: [404, 'invalid_request_error', 'this relay does not pass on this path'],
  relay_provider_unknown: [404, 'invalid_request_error', 'this relay has no such provider'],
  relay_provider_forbidden: [403, 'permission_error', 'this key is not for this provider'],
  relay_method_not_allowed: [405, 'invalid_request_error', 'this path takes another method'],
  relay_body_too_large: [
    413,
    'invalid_request_error',
    'the request is larger than this key may send',
  ],
  relay_rate_limited: [429, 'rate_limit_error', 'too many requests in a minute with this key'],
  relay_concurrency_exceeded: [
    429,
    'rate_limit_error',
    'too many requests at a time with this key',
  ],
  relay_busy: [503, 'api_error', 'too many requests at a time with all keys of this relay'],
  relay_failed: [500, 'api_error', 'the relay failed; its log says more'],
  provider_key_missing: [503, 'api_error', 'nobody has set the key of this provider yet'],
  provider_key_refused: [
    502,
    'api_error',
    'the provider does not accept the key that the relay has for it',
  ],
  provider_redirect: [
    502,
    'api_error',
    'the provider answered with a redirect, which a relay does not follow',
  ],
  provider_encoding_unknown: [
    502,
    'api_error',
    'the provider packed its answer in a way that a relay does not read',
  ],
  provider_unreachable: [502, 'api_error', 'the provider cannot be reached'],
  provider_timeout: [504, 'api_error', 'the provider did not answer in time'],
} as const satisfies Readonly<Record<string, readonly [number, string, string]>>;

/** Why the relay did not pass a request on, or not its answer. */
type RefusalCode = keyof typeof refusals;

/** A refusal as a value, until it becomes an answer. */
export interface Refusal {
  readonly refused: RefusalCode;
  /** Headers that belong to it, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Tells a refusal from what else a step may give. */
export function isRefusal(result: object): result is Refusal {
  return 'refused' in result;
}

/** What people and other clients can do nothing about by asking again soon. */
const lasting = new Set<RefusalCode>([
  'provider_key_missing',
  'provider_key_refused',
  'provider_redirect',
  'provider_encoding_unknown',
]);

/** The answer for a refusal, in the shape of OpenAI's errors. */
export function refusalResponse({ refused, headers }: Refusal): Response {
  const [status, type, message] = refusals[refused];
  return errorResponse(
    status,
    { message, type, param: null, code: refused },
    {
      // OpenAI's own clients would ask twice more.
      ...(lasting.has(refused) ? { 'x-should-retry': 'false' } : {}),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...headers,
    },
  );
}

/** An error as OpenAI's API gives it. */
export interface ApiError {
  readonly message: string;
  readonly type: string | null;
  readonly param: string | null;
  readonly code: string | null;
}

/** An answer that carries such an error. */
export function errorResponse(
  status: number,
  error: ApiError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(`${JSON.stringify({ error })}\n`, {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}

/** Every code with its status, for the documentation and its test. */
export function allRefusals(): ReadonlyArray<{ code: string; status: number }> {
  return Object.entries(refusals).map(([code, [status]]) => ({ code, status }));
}
