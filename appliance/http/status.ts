import type { HttpResponse } from './message.ts';
import { readRetryAfter } from './retry-after.ts';
import { safeUrl } from './safe-url.ts';
import { TransferError } from './transfer-error.ts';

/** Statuses that say "later", not "no". */
const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);

/**
 * The error that a final status is: REGISTRY_RATE_LIMIT for 429, else HTTP_STATUS. It carries
 * `status` and, where the server said when to come back, `retryAfterMs`. Does not read the body.
 */
export function statusError(response: HttpResponse, what: string): TransferError {
  const { status } = response;
  const code = status === 429 ? 'REGISTRY_RATE_LIMIT' : 'HTTP_STATUS';
  const message = `${what} failed: ${safeUrl(response.url)} answered with status ${status}`;
  return new TransferError(code, message, {
    hint: hintFor(status),
    transient: transientStatuses.has(status),
    status,
    retryAfterMs: readRetryAfter(response.header('retry-after')),
  });
}

function hintFor(status: number): string {
  if (status === 429) return 'Wait a while, log in for a higher limit, or name a mirror.';
  if (status === 401 || status === 403) return 'Check that the credentials allow to read this.';
  if (status === 404 || status === 410) return 'Check the name; the content may have been removed.';
  if (status === 407) return 'Put user and password into the proxy URL.';
  if (status >= 500) return 'The server has a problem; try again later or name a mirror.';
  return 'Check the address.';
}
