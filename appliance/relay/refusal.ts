import type { ApiError, Format } from './formats/format.ts';
import type { Answer } from './message.ts';
import type { Provider } from './provider.ts';

/**
 * The errors that the relay itself returns, by code. Users see the messages, so these contain no
 * addresses, keys or causes.
 */
export const refusals = {
  relay_key_missing: [
    401,
    'authentication_error',
    'missing relay key: send Authorization: Bearer <relay key>',
  ],
  relay_key_invalid: [401, 'authentication_error', 'invalid relay key'],
  relay_key_expired: [401, 'authentication_error', 'the relay key has expired'],
  relay_model_forbidden: [
    403,
    'permission_error',
    'permission denied: this key may not use this model',
  ],
  relay_field_forbidden: [
    403,
    'permission_error',
    'permission denied: keys may not set this field',
  ],
  // Clients retry a 429, some of them whatever the headers say (decision 81).
  relay_budget_exceeded: [400, 'insufficient_quota', 'budget of the relay key exceeded'],
  relay_usage_unavailable: [
    503,
    'api_error',
    'the relay cannot count the usage of this key: see `landfall doctor`',
  ],
  relay_request_invalid: [
    400,
    'invalid_request_error',
    'invalid request: the relay cannot forward it',
  ],
  relay_path_unknown: [
    404,
    'invalid_request_error',
    'unknown path: set the base URL to https://<relay>/v1 or https://<relay>/<provider>/v1',
  ],
  relay_provider_unknown: [404, 'invalid_request_error', 'unknown provider'],
  relay_provider_forbidden: [
    403,
    'permission_error',
    'permission denied: this key may not use this provider',
  ],
  relay_method_not_allowed: [405, 'invalid_request_error', 'method not allowed for this path'],
  relay_upgrade_refused: [426, 'invalid_request_error', 'the relay has no WebSocket: use HTTP'],
  relay_body_too_large: [
    413,
    'invalid_request_error',
    'request body exceeds the limit of this key',
  ],
  // OpenAI's clients know this code, and compact the conversation.
  context_length_exceeded: [
    400,
    'invalid_request_error',
    'prompt is too long for the context of the local models',
  ],
  relay_encoding_unknown: [
    415,
    'invalid_request_error',
    'unsupported Content-Encoding of the request: send the body without compression',
  ],
  relay_rate_limited: [
    429,
    'rate_limit_error',
    'rate limit exceeded: too many requests per minute with this key',
  ],
  relay_concurrency_exceeded: [429, 'rate_limit_error', 'concurrency limit of this key exceeded'],
  relay_busy: [503, 'api_error', 'concurrency limit of the relay exceeded'],
  relay_failed: [500, 'api_error', 'internal error of the relay: see its log'],
  provider_key_missing: [503, 'api_error', 'the key of this provider is not set'],
  provider_key_refused: [502, 'api_error', 'the provider rejected the key of the relay'],
  provider_redirect: [
    502,
    'api_error',
    'the provider returned a redirect, which the relay does not follow',
  ],
  provider_encoding_unknown: [
    502,
    'api_error',
    'the provider returned an unsupported content encoding',
  ],
  provider_unreachable: [502, 'api_error', 'cannot connect to the provider'],
  provider_broke_off: [502, 'api_error', 'the provider broke off in the middle of its answer'],
  provider_timeout: [504, 'api_error', 'the provider did not respond in time'],
} as const satisfies Readonly<Record<string, readonly [number, string, string]>>;

/** Why the relay did not forward a request or its response. */
type RefusalCode = keyof typeof refusals;

/** An error that {@link refusalResponse} turns into a response. */
export interface Refusal {
  readonly refused: RefusalCode;
  /** Message with details for this client. Default: that of the code. */
  readonly message?: string;
  /** Additional headers, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns whether the result of a step is a refusal. */
export function isRefusal(result: object): result is Refusal {
  return 'refused' in result;
}

/** Returns the refusal for a provider whose key is missing or rejected, with the command that sets it. */
export function keyRefusal(
  refused: 'provider_key_missing' | 'provider_key_refused',
  provider: Pick<Provider, 'setKey'> | undefined,
): Refusal {
  const { setKey } = provider ?? {};
  return setKey === undefined
    ? { refused }
    : { refused, message: `${refusals[refused][2]}: ${setKey}` };
}

/** Refusals that a retry may resolve. */
const passing = new Set<RefusalCode>([
  'relay_rate_limited',
  'relay_concurrency_exceeded',
  'relay_busy',
  'relay_failed',
  'provider_unreachable',
  'provider_timeout',
]);

/** Returns the response for a refusal, in the format of the client. */
export function refusalResponse(refusal: Refusal, format: Format): Answer {
  const { refused, headers } = refusal;
  const [own, type, text] = refusals[refused];
  const { message = text } = refusal;
  const status = format.statuses?.[own] ?? own;
  return errorResponse(
    format,
    status,
    { message, type, param: null, code: refused },
    {
      // Clients show it to users. The log has it too.
      'x-request-id': crypto.randomUUID(),
      // The clients of OpenAI and Anthropic retry twice by default, Claude Code also after a 401.
      ...(passing.has(refused) ? {} : { 'x-should-retry': 'false' }),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...headers,
    },
  );
}

/** Returns a response with an error in a format. */
export function errorResponse(
  format: Format,
  status: number,
  error: ApiError,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const { 'retry-after': seconds = '' } = headers;
  const retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : undefined;
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: `${JSON.stringify(format.errorBody(status, error, retryAfter))}\n`,
  };
}
