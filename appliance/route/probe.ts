import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../host/download/download.ts';

/** Enough for a slow network; what takes longer to answer is of no use. Milliseconds. */
const timeouts = { connect: 15_000, headers: 15_000 };

/** For all of it, redirects included: what drips keeps each of the others waiting for ever. Milliseconds. */
const longest = 45_000;

/** A place on the network and, where it does not answer over the site's route, why. */
interface Reach {
  readonly url: URL;
  readonly failure?: LandfallError;
}

/**
 * Asks each place for an answer over the site's route, all at once. Any status counts: who is not
 * logged in gets 401 from a registry, and has reached it.
 * @param limit milliseconds after which a place counts as one that does not answer
 */
export async function probe(
  site: Pick<Site, 'route'>,
  urls: readonly string[],
  limit = longest,
): Promise<readonly Reach[]> {
  const client = new HttpClient({ ...networkOptions(site), timeouts });
  try {
    return await Promise.all([...new Set(urls)].map((url) => ask(client, new URL(url), limit)));
  } finally {
    await client.close();
  }
}

async function ask(client: HttpClient, url: URL, limit: number): Promise<Reach> {
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
    // The head has said it all, and the rest may be long in coming.
    enough.abort();
  }
}

function tooSlow(url: URL, limit: number): LandfallError {
  const message = `${url.host} is not reachable: no answer came within ${limit / 1000} s`;
  return new LandfallError('NETWORK_TIMEOUT', message, {
    hint: 'It is too slow this way. Name a mirror or a proxy that is nearer in the site.',
  });
}
