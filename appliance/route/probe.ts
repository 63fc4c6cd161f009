import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../host/download.ts';

/** Enough for a slow network; what takes longer to answer is of no use. Milliseconds. */
const timeouts = { connect: 15_000, headers: 15_000 };

/** A place on the network and, where it does not answer over the site's route, why. */
export interface Reach {
  readonly url: URL;
  readonly failure?: LandfallError;
}

/**
 * Asks each place for an answer over the site's route, all at once. Any status counts: who is not
 * logged in gets 401 from a registry, and has reached it.
 */
export async function probe(
  site: Pick<Site, 'route'>,
  urls: readonly string[],
): Promise<readonly Reach[]> {
  const client = new HttpClient({ ...networkOptions(site), timeouts });
  try {
    return await Promise.all([...new Set(urls)].map((url) => ask(client, new URL(url))));
  } finally {
    await client.close();
  }
}

async function ask(client: HttpClient, url: URL): Promise<Reach> {
  try {
    const response = await client.request({ url });
    await response.discard();
    return { url };
  } catch (failure) {
    if (failure instanceof LandfallError) return { url, failure };
    throw failure;
  }
}
