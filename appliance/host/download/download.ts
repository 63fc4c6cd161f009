import { rm } from 'node:fs/promises';
import type { ReleaseDownload } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';
import type { Amount } from '#contract/text/amount.ts';
import { HttpClient } from '#http/client.ts';
import type { NetworkOptions } from '#http/options.ts';
import { withRetry } from '#http/retry.ts';
import type { Host } from '../host.ts';
import { defaultRates, fromFastestSource } from './fastest-source.ts';
import { fetchRest } from './fetch-rest.ts';
import { GrowingFile } from './growing-file.ts';
import { goRouteEnvironment } from './route-environment.ts';

/** Receives the progress of a download. */
interface Listener {
  say(line: string): void;
  progress(amount: Amount): void;
}

/**
 * Downloads a file that a thin bundle does not contain, over the site's route. Tries the sources in
 * order and resumes interrupted transfers. Afterwards the file is complete and verified, or absent.
 * @param target absolute path; an existing file is replaced
 * @param rates minimum transfer rates
 * @throws LandfallError NETWORK_…, HTTP_STATUS, BLOB_DIGEST, BLOB_SIZE of the last source
 */
export async function download(
  host: Host,
  site: Site,
  { path, urls, size, sha256 }: ReleaseDownload,
  target: string,
  listener: Listener,
  rates = defaultRates,
): Promise<void> {
  const client = new HttpClient(networkOptions(site));
  const file = await GrowingFile.create(target);
  const onProgress = (done: number) =>
    size === null ? undefined : listener.progress({ done, total: size, unit: 'bytes' });
  const retry = { note: (line: string) => listener.say(line), progress: () => file.most };
  try {
    const sources = [...new Set([...mirrored(site, urls), ...urls])];
    await host.outside.measure(() =>
      fromFastestSource(sources, rates, (url, minimumRate) => {
        const wanted = { size, sha256, minimumRate, onProgress };
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

/**
 * Returns the site's route and certificate authorities as options of the HTTP client. Environment
 * variables are ignored.
 */
export function networkOptions(site: Pick<Site, 'route' | 'ca'>): NetworkOptions {
  return { env: goRouteEnvironment(site, 'host'), ca: site.ca, settings: 'site' };
}

/** Returns the URLs of a file on the site's mirror, which serves files under their base name. */
function mirrored({ mirrors }: Site, urls: readonly string[]): string[] {
  const { files } = mirrors;
  if (!files) return [];
  const names = new Set(urls.map((url) => new URL(url).pathname.split('/').at(-1) ?? ''));
  return [...names].map((name) => `${files.replace(/\/$/, '')}/${name}`);
}
