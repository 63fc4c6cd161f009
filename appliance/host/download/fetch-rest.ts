import { LandfallError } from '#contract/errors.ts';
import type { HttpClient } from '#http/client.ts';
import { openRest, rangeFrom } from '#http/resume.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { GrowingFile } from './growing-file.ts';
import { enforceMinimumRate, type MinimumRate } from './minimum-rate.ts';

/** The expected content of a file, and its minimum transfer rate. */
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
const largestUnknown = 1 << 30;

/**
 * Tries once to fetch the remainder of a file. Received bytes are kept across attempts and sources.
 * If the digest does not match in the end, the file is discarded, because ranges of two different
 * files may be mixed.
 * @throws LandfallError NETWORK_…, HTTP_STATUS, BLOB_DIGEST, BLOB_SIZE
 */
export async function fetchRest(
  client: HttpClient,
  url: URL,
  file: GrowingFile,
  { size, sha256, minimumRate, onProgress }: WantedFile,
): Promise<void> {
  const { response, start } = await openRest(
    (from) => client.request({ url, headers: rangeFrom(from) }),
    { from: file.size, size, what: `fetching ${url.pathname.split('/').at(-1)}` },
  );
  if (start < file.size) await file.restart();
  const limit = size ?? largestUnknown;
  for await (const chunk of enforceMinimumRate(minimumRate, url.host, response.body)) {
    if (file.size + chunk.length > limit) {
      await file.restart();
      throw new LandfallError(
        'BLOB_SIZE',
        `${url.host} sent more than the expected ${limit} bytes`,
      );
    }
    await file.append(chunk);
    onProgress(file.size);
  }
  if (size !== null && file.size < size) {
    throw new TransferError('NETWORK_UNREACHABLE', `${url.host} closed the connection early`, {
      transient: true,
    });
  }
  if (file.sha256 === sha256) return;
  await file.restart();
  throw new TransferError('BLOB_DIGEST', `${url.host} serves a file with a wrong SHA-256`, {
    hint: 'Use another mirror.',
    transient: start > 0,
  });
}
