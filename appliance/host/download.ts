import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import type { ReleaseDownload } from '#contract/release.ts';
import type { Site } from '#contract/site.ts';
import { HttpClient } from '#http/client.ts';
import type { NetworkOptions } from '#http/options.ts';
import { withRetry } from '#http/retry.ts';
import { statusError } from '#http/status.ts';
import type { Host } from './host.ts';
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
 * @throws LandfallError NETWORK_…, HTTP_STATUS, BLOB_DIGEST, BLOB_SIZE of the last place
 */
export async function download(
  host: Host,
  site: Site,
  { path, urls, size, sha256 }: ReleaseDownload,
  target: string,
  listener: Listener,
): Promise<void> {
  const client = new HttpClient(networkOptions(site));
  try {
    const places = [...mirrored(site, urls), ...urls];
    await host.outside.measure(() =>
      firstThatWorks(places, (url) =>
        withRetry(
          `fetching ${path}`,
          () => fetchOnce(client, new URL(url), target, { size, sha256, listener }),
          {
            note: (line) => listener.say(line),
          },
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

async function firstThatWorks(
  places: readonly string[],
  attempt: (url: string) => Promise<void>,
): Promise<void> {
  for (const [index, place] of places.entries()) {
    try {
      return await attempt(place);
    } catch (error) {
      if (index === places.length - 1) throw error;
    }
  }
}

async function fetchOnce(
  client: HttpClient,
  url: URL,
  target: string,
  { size, sha256, listener }: { size: number | null; sha256: string; listener: Listener },
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
    for await (const chunk of response.body) {
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
