import type { HttpClient } from '#http/client.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import { safeUrl } from '#http/safe-url.ts';
import { statusError } from '#http/status.ts';

/** The network of a download. */
export interface DownloadDeps {
  readonly http: HttpClient;
  readonly retry?: RetryOptions | undefined;
}

/**
 * Downloads a small file into memory and retries temporary failures. Follows redirects, so the content
 * must be verified.
 * @throws LandfallError HTTP_STATUS, BLOB_SIZE for more than `maxBytes`, NETWORK_…
 */
export async function downloadBytes(
  url: URL,
  maxBytes: number,
  { http, retry }: DownloadDeps,
): Promise<Uint8Array> {
  const attempt = async () => {
    const response = await http.request({ url });
    if (response.status === 200) return await response.bytes(maxBytes);
    await response.discard();
    throw statusError(response, 'download');
  };
  return await withRetry(safeUrl(url), attempt, { attempts: 3, ...retry });
}
