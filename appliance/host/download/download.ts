import { rm } from 'node:fs/promises';
import type { ReleaseDownload } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';
import { HttpClient } from '#http/client.ts';
import type { NetworkOptions } from '#http/options.ts';
import { withRetry } from '#http/retry.ts';
import type { Host } from '../host.ts';
import { fromFastestSource, usualPaces } from './fastest-source.ts';
import { fetchRest } from './fetch-rest.ts';
import { GrowingFile } from './growing-file.ts';
import { engineEnvironment } from './route-environment.ts';

/** Hears how a download goes. */
interface Listener {
  say(line: string): void;
  progress(amount: { done: number; total: number; unit: 'bytes' }): void;
}

/**
 * Fetches a file that a thin bundle leaves outside, over the site's route, from the first place
 * that has it, going on where a cut line left it. It is there whole and proved, or not at all.
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
  const file = await GrowingFile.create(target);
  const came = (done: number) =>
    size === null ? undefined : listener.progress({ done, total: size, unit: 'bytes' });
  const retry = { note: (line: string) => listener.say(line), progress: () => file.most };
  try {
    const places = [...new Set([...mirrored(site, urls), ...urls])];
    await host.outside.measure(() =>
      fromFastestSource(places, paces, (url, rate) => {
        const wanted = { size, sha256, pace: rate, came };
        return withRetry(
          `fetching ${path}`,
          () => fetchRest(client, new URL(url), file, wanted),
          retry,
        );
      }),
    );
    await file.sync();
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    await file.close();
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
