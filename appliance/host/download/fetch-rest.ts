import { LandfallError } from '#contract/errors.ts';
import type { HttpClient } from '#http/client.ts';
import { openRest, rangeFrom } from '#http/resume.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { GrowingFile } from './growing-file.ts';
import { notSlowerThan, type Pace } from './minimum-rate.ts';

/** What a file has to be, and how fast it has to come. */
interface WantedFile {
  /** Bytes; null where the release does not know. */
  readonly size: number | null;
  /** Hex. */
  readonly sha256: string;
  readonly pace: Pace;
  /** Told of the bytes that are there. */
  readonly came: (bytes: number) => void;
}

/** What is larger is not what a release names. Bytes. */
const largestUnknown = 1 << 30;

/**
 * One try at what a file still lacks. What has come stays, whoever sent it: the digest tells in the
 * end, and where it does not fit, pieces of two files may have met, so all of it is fetched anew.
 * @throws LandfallError NETWORK_…, HTTP_STATUS, BLOB_DIGEST, BLOB_SIZE
 */
export async function fetchRest(
  client: HttpClient,
  url: URL,
  file: GrowingFile,
  { size, sha256, pace, came }: WantedFile,
): Promise<void> {
  const { response, start } = await openRest(
    (from) => client.request({ url, headers: rangeFrom(from) }),
    { from: file.size, size, what: `fetching ${url.pathname.split('/').at(-1)}` },
  );
  if (start < file.size) await file.restart();
  const limit = size ?? largestUnknown;
  for await (const chunk of notSlowerThan(pace, url.host, response.body)) {
    if (file.size + chunk.length > limit) {
      await file.restart();
      throw new LandfallError('BLOB_SIZE', `${url.host} sends more than it should`);
    }
    await file.append(chunk);
    came(file.size);
  }
  if (size !== null && file.size < size) {
    throw new TransferError('NETWORK_UNREACHABLE', `${url.host} broke off`, { transient: true });
  }
  if (file.sha256 === sha256) return;
  await file.restart();
  throw new TransferError('BLOB_DIGEST', `${url.host} has another file than the release names`, {
    hint: 'Nothing of it was used. Another mirror may have the right one.',
    transient: start > 0,
  });
}
