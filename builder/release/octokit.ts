import { RequestError } from '@octokit/request-error';
import { Octokit, type RestEndpointMethodTypes } from '@octokit/rest';
import { fetch, type RequestInit } from 'undici';
import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Dispatchers } from '#http/dispatchers.ts';
import { networkError } from '#http/failures.ts';
import { readRetryAfter } from '#http/status.ts';
import { TransferError } from '#http/transfer-error.ts';

/** Access to the API of a code host. */
export interface ApiAccess {
  /** Base URL, such as `https://api.github.com`. */
  readonly api: URL;
  readonly token: string;
  readonly env: NodeJS.ProcessEnv;
}

type Methods = RestEndpointMethodTypes['repos'];
/** A release, as the API describes it. */
export type HostedRelease = Methods['createRelease']['response']['data'];
/** A file of a release, unfinished uploads included. */
export type Asset = Methods['getReleaseAsset']['response']['data'];

/** Longer waits end the command instead. Milliseconds. */
const maxWait = 120_000;
const ignore = () => {};

/**
 * Returns a client of GitHub's API. It uses the proxies and the certificate authorities of the
 * environment, sends each request once, and throws TransferError.
 */
export function octokitFor({ api, token }: ApiAccess, dispatchers: Dispatchers): Octokit {
  const octokit = new Octokit({
    baseUrl: api.href.replace(/\/$/, ''),
    auth: token,
    userAgent: 'landfall',
    // Errors are reported by the caller.
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    request: {
      fetch: (url: string, init: RequestInit) =>
        fetch(url, { ...init, dispatcher: dispatchers.routeTo(new URL(url)).dispatcher }),
    },
  });
  octokit.hook.error('request', (error, options) => {
    const { url } = octokit.request.endpoint(options);
    throw apiError(error, `${options.method} ${new URL(url).pathname}`, new URL(url), dispatchers);
  });
  return octokit;
}

/** Returns the content of a response. Converts failures of the connection to TransferError. */
export async function* contentOf(
  body: AsyncIterable<Uint8Array>,
  url: URL,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw networkError(causeOf(cause), { url, proxy: undefined });
  }
}

/**
 * Returns the error of a request. It is transient for failures of the connection, for server errors,
 * for short rate limits, and for an upload whose name exists: another job may have uploaded it
 * meanwhile. Contains no header of the request, which has the token.
 */
function apiError(error: unknown, request: string, url: URL, dispatchers: Dispatchers): unknown {
  if (!(error instanceof RequestError)) return error;
  if (!error.response) {
    return networkError(causeOf(error.cause), { url, proxy: dispatchers.routeTo(url).proxy });
  }
  const { status } = error;
  const waitMs = rateLimit(status, error.response.headers);
  if (waitMs !== undefined) return rateLimited(url.host, waitMs);
  const alreadyExists = error.message.includes('already_exists');
  const text = `${request} failed: ${url.host} responded with status ${status}`;
  const message = alreadyExists ? 'the name exists' : plainLine(error.message, 300);
  return new TransferError('HTTP_STATUS', message ? `${text}: ${message}` : text, {
    hint: hintFor(status),
    status,
    transient: status >= 500 || status === 408 || alreadyExists,
  });
}

/** Returns what made fetch fail: its own error is always the same. */
function causeOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause ? error.cause : error;
}

/**
 * Returns the wait of a rate limit in milliseconds; undefined for other errors. The code host sends
 * 403 or 429, with Retry-After or with the time of the reset in seconds since 1970.
 */
function rateLimit(
  status: number,
  headers: Readonly<Record<string, string | number | undefined>>,
): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const header = (name: string) => headers[name]?.toString();
  const retryAfter = readRetryAfter(header('retry-after'), Date.now());
  if (retryAfter !== undefined) return retryAfter;
  const reset = header('x-ratelimit-reset') ?? '';
  if (header('x-ratelimit-remaining') === '0' && /^\d{1,12}$/.test(reset)) {
    return Math.max(0, Number(reset) * 1000 - Date.now());
  }
  return status === 429 ? 0 : undefined;
}

function rateLimited(host: string, waitMs: number): TransferError {
  const until = new Date(Date.now() + waitMs).toISOString().replace(/\.\d+Z$/, 'Z');
  return new TransferError('REGISTRY_RATE_LIMIT', `rate-limited by ${host} until ${until}`, {
    hint: 'Run the command again after this time; finished uploads are kept.',
    transient: waitMs <= maxWait,
    retriable: true,
    retryAfterMs: waitMs,
  });
}

function hintFor(status: number): string {
  if (status === 401) return 'Set GITHUB_TOKEN to a valid token.';
  if (status === 403) return 'Use a token with the permission contents:write for this repository.';
  if (status === 404)
    return 'Check GITHUB_REPOSITORY, and use a token with the permission contents:write: drafts are hidden from others.';
  return status >= 500 ? 'Try again later.' : 'Check the name of the release and of the file.';
}

/**
 * Returns the URL that receives a file of a release. The response of the API names it, and requests to
 * it have the token, so it must be on the same site (`api.` and `uploads.` of one domain).
 * @throws LandfallError HTTP_REDIRECT for another site or scheme
 */
export function uploadUrl({ upload_url }: HostedRelease, api: URL, name: string): URL {
  const template = upload_url.replace(/\{[^}]*\}$/, '');
  const url = URL.canParse(template) ? new URL(template) : undefined;
  if (url && url.protocol === api.protocol && siteOf(url) === siteOf(api)) {
    url.searchParams.set('name', name);
    return url;
  }
  throw new LandfallError('HTTP_REDIRECT', `uploads rejected: ${api.host} names another site`, {
    hint: 'Check GITHUB_API_URL.',
  });
}

function siteOf({ hostname }: URL): string {
  return hostname.replace(/^(?:api|uploads)\./, '');
}
