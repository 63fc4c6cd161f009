import { plainLine } from '#contract/text/plain-line.ts';
import type { Attempt } from '../exchange/attempt.ts';

/**
 * How the hub responded. `failed`: no response, or one that is not the hub's. `denied`: the hub or a
 * filter does not serve this address.
 */
export type HubOutcome =
  | 'answered'
  | 'token-rejected'
  | 'denied'
  | 'model-unknown'
  | 'request-rejected'
  | 'loading'
  | 'rate-limited'
  | 'failed';

/** A request to the hub over one route. */
export interface HubAttempt extends Attempt {
  readonly outcome: HubOutcome;
  /** The beginning of the response as plain text, without the token. */
  readonly text?: string;
}

const outcomes: Readonly<Record<number, HubOutcome>> = {
  400: 'request-rejected',
  401: 'token-rejected',
  403: 'denied',
  404: 'model-unknown',
  410: 'model-unknown',
  422: 'request-rejected',
  429: 'rate-limited',
  451: 'denied',
  503: 'loading',
};

/** Returns the meaning of a response to an inference request. */
export function outcomeOf({ status = 0, failure }: Attempt): HubOutcome {
  if (failure !== undefined) return 'failed';
  return status >= 200 && status < 300 ? 'answered' : (outcomes[status] ?? 'failed');
}

/** Formats the beginning of a response: one line of at most 200 characters, without the token. */
export function excerptOf(body: Buffer, token: string): string {
  return plainLine(body.toString('utf8').replaceAll(token, '***'));
}
