import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../host/download/download.ts';

/** Sufficient for a slow network. Milliseconds. */
const timeouts = { connect: 15_000, headers: 15_000 };

/** Total limit with redirects, because a slow response delays the result of all requests. Milliseconds. */
const longest = 45_000;

/** A requested URL with the error, if it cannot be reached. */
interface Reach {
  readonly url: URL;
  readonly failure?: LandfallError;
}

/**
 * Requests all URLs concurrently over the route of the site. Any HTTP status counts as reachable: a
 * registry responds with 401 to anonymous requests.
 * @param limit milliseconds until a request fails
 */
export async function reach(
  site: Pick<Site, 'route' | 'ca'>,
  urls: readonly string[],
  limit = longest,
): Promise<readonly Reach[]> {
  const client = new HttpClient({ ...networkOptions(site), timeouts });
  try {
    return await Promise.all(
      [...new Set(urls)].map((url) => reachUrl(client, new URL(url), limit)),
    );
  } finally {
    await client.close();
  }
}

async function reachUrl(client: HttpClient, url: URL, limit: number): Promise<Reach> {
  const tooLate = AbortSignal.timeout(limit);
  const enough = new AbortController();
  try {
    await client.request({ url, signal: AbortSignal.any([tooLate, enough.signal]) });
    return { url };
  } catch (failure) {
    if (tooLate.aborted) return { url, failure: tooSlow(url, limit) };
    if (failure instanceof LandfallError) return { url, failure };
    throw failure;
  } finally {
    // The headers are enough; the body may be large.
    enough.abort();
  }
}

function tooSlow(url: URL, limit: number): LandfallError {
  const message = `${url.host} is not reachable: no response within ${limit / 1000} s`;
  return new LandfallError('NETWORK_TIMEOUT', message, {
    hint: 'Set a mirror or a proxy in the site that is closer to this server.',
  });
}
