import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import type { ReleaseDownload } from '#contract/release.ts';
import type { Site } from '#contract/site.ts';
import { HttpClient } from '#http/client.ts';
import type { NetworkOptions } from '#http/options.ts';
import { withRetry } from '#http/retry.ts';
import { statusError } from '#http/status.ts';
import { fromFastestPlace, usualPaces } from './fastest-place.ts';
import type { Host } from './host.ts';
import { notSlowerThan, type Pace } from './minimum-rate.ts';
import { engineEnvironment } from './route-environment.ts';

/** Hears how a download goes. */
interface Listener {
  say(line: string): void;
  progress(amount: { done: number; total: number; unit: 'bytes' }): void;
}

/** What is larger is not what the release names. Bytes. */
const largestUnknown = 1 << 30;

/**
 * Fetches a file that a thin bundle leaves outside, over the site's route, from the first place
 * that has it. It is there whole and proved, or not at all.
 * @param target absolute path; a file that is there is replaced
 * @param paces what counts as too slow
 * @throws LandfallError NETWORK_…, HTTP_STATUS, BLOB_DIGEST, BLOB_SIZE of the last place
 */
export async function download(
  host: Host,
  site: Site,
  { path, urls, size, sha256 }: ReleaseDownload,
  target: string,
  listener: Listener,
  paces = usualPaces,
): Promise<void> {
  const client = new HttpClient(networkOptions(site));
  try {
    const places = [...new Set([...mirrored(site, urls), ...urls])];
    const note = (line: string) => listener.say(line);
    await host.outside.measure(() =>
      fromFastestPlace(places, paces, (url, pace) =>
        withRetry(
          `fetching ${path}`,
          () => fetchOnce(client, new URL(url), target, { size, sha256, listener, pace }),
          { note },
        ),
      ),
    );
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    await client.close();
  }
}

/** The site's way out, as the HTTP client takes it. Nothing of the environment counts. */
export function networkOptions(site: Pick<Site, 'route'>): NetworkOptions {
  return { env: engineEnvironment(site), settings: 'site' };
}

/** A mirror has files under their last name. */
function mirrored({ mirrors }: Site, urls: readonly string[]): string[] {
  const { files } = mirrors;
  if (!files) return [];
  const names = new Set(urls.map((url) => new URL(url).pathname.split('/').at(-1) ?? ''));
  return [...names].map((name) => `${files.replace(/\/$/, '')}/${name}`);
}

interface Expected {
  readonly size: number | null;
  readonly sha256: string;
  readonly listener: Listener;
  readonly pace: Pace;
}

async function fetchOnce(
  client: HttpClient,
  url: URL,
  target: string,
  { size, sha256, listener, pace }: Expected,
): Promise<void> {
  const response = await client.request({ url });
  if (response.status !== 200) {
    await response.discard();
    throw statusError(response, `fetching ${url.pathname.split('/').at(-1)}`);
  }
  const limit = size ?? largestUnknown;
  const hash = createHash('sha256');
  const file = await open(target, 'w', 0o600);
  let done = 0;
  try {
    for await (const chunk of notSlowerThan(pace, url.host, response.body)) {
      done += chunk.length;
      if (done > limit)
        throw new LandfallError('BLOB_SIZE', `${url.host} sends more than it should`);
      hash.update(chunk);
      await file.write(chunk);
      if (size !== null) listener.progress({ done, total: size, unit: 'bytes' });
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (hash.digest('hex') === sha256) return;
  throw new LandfallError('BLOB_DIGEST', `${url.host} has another file than the release names`, {
    hint: 'Nothing of it was used. Another mirror may have the right one.',
  });
}
