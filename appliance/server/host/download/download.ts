import { rm } from 'node:fs/promises';
import type { ReleaseDownload } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import type { Amount } from '#contract/text/amount.ts';
import { HashedFile } from '#files/hashed-file.ts';
import { HttpClient } from '#http/client.ts';
import type { NetworkOptions } from '#http/options.ts';
import { openRest, rangeFrom } from '#http/resume.ts';
import { withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host.ts';
import {
  defaultRates,
  enforceMinimumRate,
  fromFastestSource,
  type MinimumRate,
} from './minimum-rate.ts';
import { goRouteEnvironment } from './route-environment.ts';

interface DownloadListener {
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
  listener: DownloadListener,
  rates = defaultRates,
): Promise<void> {
  const client = new HttpClient(networkOptions(site));
  const file = await HashedFile.open(target);
  let most = 0;
  const onProgress = (done: number) => {
    most = Math.max(most, done);
    if (size !== null) listener.progress({ done, total: size, unit: 'bytes' });
  };
  const retry = { note: (line: string) => listener.say(line), progress: () => most };
  try {
    await file.restart();
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

interface WantedFile {
  /** Bytes; null if the release does not specify the size. */
  readonly size: number | null;
  /** Hex. */
  readonly sha256: string;
  readonly minimumRate: MinimumRate;
  /** Called with the number of bytes received so far. */
  readonly onProgress: (bytes: number) => void;
}

/** Size limit of a file whose size is unknown, in bytes. */
const maxUnknown = 1 << 30;

/**
 * Tries once to fetch the remainder of a file. Received bytes are kept across attempts and sources.
 * If the digest does not match in the end, the file is discarded, because ranges of two different
 * files may be mixed.
 * @throws LandfallError NETWORK_…, HTTP_STATUS, BLOB_DIGEST, BLOB_SIZE
 */
async function fetchRest(
  client: HttpClient,
  url: URL,
  file: HashedFile,
  { size, sha256, minimumRate, onProgress }: WantedFile,
): Promise<void> {
  const { response, start } = await openRest(
    (from) => client.send({ url, headers: rangeFrom(from) }),
    { from: file.length, size, what: `fetching ${url.pathname.split('/').at(-1)}` },
  );
  if (start < file.length) await file.restart();
  const limit = size ?? maxUnknown;
  for await (const chunk of enforceMinimumRate(minimumRate, url.host, response.body)) {
    if (file.length + chunk.length > limit) {
      await file.restart();
      throw new LandfallError(
        'BLOB_SIZE',
        `${url.host} sent more than the expected ${limit} bytes`,
      );
    }
    await file.write(chunk);
    onProgress(file.length);
  }
  if (size !== null && file.length < size) {
    throw new TransferError('NETWORK_UNREACHABLE', `${url.host} closed the connection early`, {
      transient: true,
    });
  }
  if ((await file.finish()) === `sha256:${sha256}`) return;
  await file.restart();
  throw new TransferError('BLOB_DIGEST', `${url.host} serves a file with a wrong SHA-256`, {
    hint: 'Use another mirror.',
    transient: start > 0,
  });
}
