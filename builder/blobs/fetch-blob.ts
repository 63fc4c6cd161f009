import { LandfallError } from '#contract/errors.ts';
import { diskError } from './disk-errors.ts';
import type { Download, DownloaderOptions } from './downloader-options.ts';
import { HashedFile } from './hashed-file.ts';
import { Transfer } from './transfer.ts';

interface BlobFetch {
  readonly download: Download;
  readonly parts: DownloaderOptions;
  readonly signal: AbortSignal | undefined;
  /** Called when all bytes are received and only disk writes remain. */
  readonly onReceived: () => void;
}

/**
 * Fetches one blob into the store. After a failure, keeps the received bytes for the next attempt
 * unless they are known to be wrong.
 */
export async function fetchBlob(fetch: BlobFetch): Promise<void> {
  const { descriptor } = fetch.download;
  const { store, statistics } = fetch.parts;
  const partial = await store.claim(descriptor.digest);
  let file: HashedFile | undefined;
  try {
    file = await HashedFile.open(partial.path, statistics, descriptor.size);
    await fill(file, fetch);
    await file.close();
    await partial.publish(store.path(descriptor.digest));
  } catch (error) {
    await file?.close().catch(() => {});
    await (isWorthless(error) ? partial.remove() : partial.release()).catch(() => {});
    const needed = descriptor.size - (file?.length ?? 0);
    throw diskError(error, { action: 'write', path: partial.path, needed });
  }
}

async function fill(file: HashedFile, { download, parts, signal, onReceived }: BlobFetch) {
  const { digest, size } = download.descriptor;
  await file.rehash(signal);
  const isResumed = file.length > 0;
  const transfer = new Transfer(download, parts, file, signal);
  try {
    if (file.length > size) await transfer.restart();
    await transfer.receive();
    onReceived();
    if ((await file.finish()) === digest) return;
    if (!isResumed) throw transfer.wrongBytes();
    parts.reporter.note(
      `${download.label}: the partial download of an earlier build is damaged; restarting the download`,
    );
    await transfer.restart();
    await transfer.receive();
    if ((await file.finish()) !== digest) throw transfer.wrongBytes();
  } finally {
    transfer.end();
  }
}

function isWorthless(error: unknown): boolean {
  return (
    error instanceof LandfallError && (error.code === 'BLOB_DIGEST' || error.code === 'BLOB_SIZE')
  );
}
