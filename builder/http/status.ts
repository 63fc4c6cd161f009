import { LandfallError } from '#contract/errors.ts';
import type { HttpResponse } from './message.ts';

/**
 * The error that a final status is: REGISTRY_RATE_LIMIT for 429, else HTTP_STATUS; it carries
 * `status` and, where the server said when to come back, `retryAfterMs`. Does not read the body.
 */
export function statusError(response: HttpResponse, what: string): LandfallError {
  return new LandfallError('HTTP_STATUS', `${what} failed with status ${response.status}`);
}
