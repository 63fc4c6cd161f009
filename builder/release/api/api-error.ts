import { plainLine } from '#contract/text/plain-line.ts';
import { readRetryAfter } from '#http/retry-after.ts';
import { TransferError } from '#http/transfer-error.ts';
import { messages } from './messages.ts';

/** A response with an error status. */
interface Rejection {
  /** Method and path, such as `POST /repos/o/r/releases`. */
  readonly request: string;
  readonly host: string;
  readonly status: number;
  readonly body: string;
  header(name: string): string | undefined;
}

/** Longer waits end the command instead. Milliseconds. */
const maxWait = 120_000;

/**
 * Returns the error of a rejected request. It is transient for server errors, for short rate limits,
 * and for an upload whose name exists: another job may have uploaded it meanwhile. Contains no header
 * of the request, which has the token.
 */
export function apiError(rejection: Rejection, now = Date.now()): TransferError {
  const { status, host, request } = rejection;
  const waitMs = rateLimit(rejection, now);
  if (waitMs !== undefined) return rateLimited(host, waitMs, now);
  const { message, alreadyExists } = explain(rejection.body);
  const text = `${request} failed: ${host} responded with status ${status}`;
  return new TransferError('HTTP_STATUS', message ? `${text}: ${message}` : text, {
    hint: hintFor(status),
    status,
    transient: status >= 500 || status === 408 || alreadyExists,
  });
}

/**
 * Returns the wait of a rate limit in milliseconds; undefined for other errors. The code host sends
 * 403 or 429, with Retry-After or with the time of the reset in seconds since 1970.
 */
function rateLimit({ status, header }: Rejection, now: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const asked = readRetryAfter(header('retry-after'), now);
  if (asked !== undefined) return asked;
  const reset = header('x-ratelimit-reset') ?? '';
  if (header('x-ratelimit-remaining') === '0' && /^\d{1,12}$/.test(reset)) {
    return Math.max(0, Number(reset) * 1000 - now);
  }
  return status === 429 ? 0 : undefined;
}

function rateLimited(host: string, waitMs: number, now: number): TransferError {
  const until = new Date(now + waitMs).toISOString().replace(/\.\d+Z$/, 'Z');
  return new TransferError('REGISTRY_RATE_LIMIT', `rate-limited by ${host} until ${until}`, {
    hint: 'Run the command again after this time; finished uploads are kept.',
    transient: waitMs <= maxWait,
    retriable: true,
    retryAfterMs: waitMs,
  });
}

function explain(body: string): { message: string; alreadyExists: boolean } {
  try {
    const { message, errors = [] } = messages.error.parse(JSON.parse(body));
    const alreadyExists = errors.some(({ code }) => code === 'already_exists');
    return { message: plainLine(alreadyExists ? 'the name exists' : message), alreadyExists };
  } catch {
    return { message: '', alreadyExists: false };
  }
}

function hintFor(status: number): string {
  if (status === 401) return 'Set GITHUB_TOKEN to a valid token.';
  if (status === 403) return 'Use a token with the permission contents:write for this repository.';
  if (status === 404)
    return 'Check GITHUB_REPOSITORY, and use a token with the permission contents:write: drafts are hidden from others.';
  return status >= 500 ? 'Try again later.' : 'Check the name of the release and of the file.';
}
