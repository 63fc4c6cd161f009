import { openRegular } from '#files/open-regular.ts';

/** Bytes. Large enough to make the cost of system calls negligible. */
const chunkSize = 1 << 20;

/**
 * Yields the content of a regular file in chunks; fails for anything else, such as a symbolic link. All
 * chunks share one buffer, so the caller must finish with a chunk before requesting the next.
 * @param path absolute
 */
export async function* readChunks(path: string): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkSize);
  await using file = await openRegular(path, { follow: false });
  if (!file) throw Object.assign(new Error(`${path} is not a regular file`), { code: 'ENOENT' });
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkSize, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
