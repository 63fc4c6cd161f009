import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { fileError } from '#contract/file-error.ts';
import { moveIntoPlace } from '#files/move-into-place.ts';
import { TransferError } from '#http/transfer-error.ts';
import { isAssetName } from './local-file.ts';
import type { Asset } from './octokit.ts';

/**
 * Downloads a file into a folder, where it appears only when it is complete.
 * @param request sends the request, and returns the content
 * @throws LandfallError BLOB_DIGEST for other bytes, HTTP_STATUS for an unfinished upload or an
 * unsafe name, DISK_FULL, FILE_ACCESS, and the errors of `request`
 */
export async function downloadAsset(
  request: () => Promise<AsyncIterable<Uint8Array>>,
  { name, size, digest, state }: Asset,
  folder: string,
): Promise<void> {
  if (!isAssetName(name) || state !== 'uploaded') {
    const message = `${JSON.stringify(name)} cannot be downloaded: unsafe name or unfinished upload`;
    throw new LandfallError('HTTP_STATUS', message, { hint: 'Upload the file again.' });
  }
  const partial = join(folder, `${name}.partial`);
  try {
    const received = await receive(await request(), partial, size);
    if (received.size !== size || (digest && received.digest !== digest)) {
      throw new TransferError('BLOB_DIGEST', `${name} is truncated or has other content`, {
        hint: 'Run the command again.',
        transient: true,
      });
    }
    await moveIntoPlace(partial, join(folder, name));
  } catch (error) {
    throw fileError(error, join(folder, name));
  } finally {
    await rm(partial, { force: true });
  }
}

async function receive(body: AsyncIterable<Uint8Array>, path: string, limit: number) {
  const hash = createHash('sha256');
  let size = 0;
  await using file = await open(path, 'w');
  for await (const chunk of body) {
    size += chunk.length;
    // The rest is not of this file.
    if (size > limit) break;
    hash.update(chunk);
    await file.write(chunk);
  }
  return { size, digest: `sha256:${hash.digest('hex')}` };
}
