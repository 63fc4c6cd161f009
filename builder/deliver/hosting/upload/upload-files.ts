import { channelSignatureFile } from '#contract/channel/channel.ts';
import type { Reporter } from '../../../base/progress/reporter.ts';
import type { HashedFile } from '../hashed-file.ts';
import { isBundle, type ReleaseFile } from '../release-files.ts';
import type { Destination } from './destination.ts';

/** A file of an upload. */
export interface UploadedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** Whether it was sent. Otherwise the destination already had it. */
  readonly isSent: boolean;
}

/** Uploads the files that a destination does not have. @throws LandfallError of the destination */
export async function uploadFiles(
  files: readonly HashedFile[],
  destination: Destination,
  reporter: Reporter,
): Promise<UploadedFile[]> {
  const uploaded: UploadedFile[] = [];
  for (const file of uploadOrder(files)) {
    const { name, size, sha256 } = file;
    const isPresent = await destination.has(file);
    if (!isPresent) await send(file, destination, reporter);
    uploaded.push({ name, size, sha256, isSent: !isPresent });
  }
  return uploaded;
}

async function send(file: HashedFile, destination: Destination, reporter: Reporter): Promise<void> {
  const transfer = reporter.transfer(`uploading ${file.name}`, file.size);
  try {
    await destination.put(file, transfer);
  } finally {
    transfer.end();
  }
}

/**
 * Sorts files for an upload: bundles first, manifests last, so that no reader finds a manifest before
 * its bundle. The first part of a bundle follows its other parts: without it, servers request no part.
 */
export function uploadOrder<File extends ReleaseFile>(files: readonly File[]): File[] {
  return files.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ name }: ReleaseFile): number {
  if (isBundle(name)) return name.endsWith('.000') ? 1 : 0;
  // A reader that finds the document looks for its signature; that of a channel is read first.
  if (name === channelSignatureFile) return 4;
  return /\.json$/.test(name) && !name.endsWith('.cdx.json') ? 3 : 2;
}
