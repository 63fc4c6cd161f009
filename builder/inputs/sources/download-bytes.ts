import type { HttpClient } from '#http/client.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import { safeUrl } from '#http/safe-url.ts';
import { statusError } from '#http/status.ts';

/** Bytes per second of the slowest connection that can download a release. */
const min = 32 * 1024;

/** The network of a download. */
export interface DownloadDeps {
  readonly http: HttpClient;
  readonly retry?: RetryOptions | undefined;
  /** Total timeout of an attempt in milliseconds, without the time for the largest file. */
  readonly totalTimeout?: number | undefined;
}

/**
 * Downloads a small file into memory and retries temporary failures. Follows redirects, except from a
 * public host into the network of this computer, so the content must be verified.
 * @throws LandfallError HTTP_STATUS, BLOB_SIZE for more than `maxBytes`, NETWORK_…
 */
export async function downloadBytes(
  url: URL,
  maxBytes: number,
  { http, retry, totalTimeout = 60_000 }: DownloadDeps,
): Promise<Uint8Array> {
  const timeout = totalTimeout + (maxBytes / min) * 1000;
  const attempt = async () => {
    const response = await http.send({ url, timeout, staysPublic: true });
    if (response.status === 200) return await response.bytes(maxBytes);
    await response.discard();
    throw statusError(response, 'download');
  };
  return await withRetry(safeUrl(url), attempt, { attempts: 3, ...retry });
}
