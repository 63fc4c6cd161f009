import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';

/** Magic bytes of compressed files, and the programs that decompress them. */
const compressions: ReadonlyArray<readonly [magic: string, program: string]> = [
  ['1f8b', 'gunzip'],
  ['28b52ffd', 'unzstd'],
  ['fd377a585a00', 'unxz'],
  ['425a68', 'bunzip2'],
];

/**
 * Opens an image archive on disk. Rejects compressed archives, because every build would have to
 * decompress them again.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, IMAGE_SOURCE
 */
export async function openArchiveFile(path: string): Promise<{ stream: Readable; size: number }> {
  try {
    const found = await stat(path);
    if (!found.isFile()) {
      throw new LandfallError('IMAGE_SOURCE', `${path} is not a file`, {
        hint: 'Use oci: for a folder with an OCI image layout.',
      });
    }
    await refuseCompressed(path);
    return { stream: Readable.from(readFileChunks(path), { objectMode: false }), size: found.size };
  } catch (error) {
    throw readError(error, path);
  }
}

/** Yields the chunks of a file. @throws LandfallError FILE_MISSING, FILE_ACCESS */
export async function* readFileChunks(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) yield chunk;
  } catch (error) {
    throw readError(error, path);
  }
}

/** Converts a file system error of a read to a LandfallError. */
export function readError(error: unknown, path: string): unknown {
  if (error instanceof LandfallError || !(error instanceof Error) || !('code' in error)) {
    return error;
  }
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return new LandfallError('FILE_MISSING', `${path} does not exist`, {
      hint: 'Check the path of the image or the model in appliance.yaml; it is relative to the folder of that file.',
      cause: error,
    });
  }
  return new LandfallError('FILE_ACCESS', `cannot read ${path} (${String(error.code)})`, {
    hint: 'Check the permissions of the file.',
    cause: error,
  });
}

async function refuseCompressed(path: string): Promise<void> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(6), 0, 6, 0);
  const start = buffer.toString('hex', 0, bytesRead);
  const [, program] = compressions.find(([magic]) => start.startsWith(magic)) ?? [];
  if (!program) return;
  throw new LandfallError('IMAGE_SOURCE', `${path} is compressed`, {
    hint: `Decompress it: ${program} < ${path} > image.tar`,
  });
}
