import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { execa } from 'execa';
import tar, { type Extract } from 'tar-stream';

/** A file, folder or link of an unpacked package. */
export type TreeEntry = Extract extends AsyncIterable<infer Entry> ? Entry : never;

/**
 * Unpacks a Debian package and passes its files to `read` one by one, without running its scripts:
 * so it also works for other architectures.
 * @throws the error of dpkg-deb with its output.
 */
export async function readPackage(
  path: string,
  read: (entries: AsyncIterable<TreeEntry>) => Promise<void>,
): Promise<void> {
  const child = execa('dpkg-deb', ['--fsys-tarfile', path], {
    stdin: 'ignore',
    buffer: { stdout: false },
  });
  // Awaits both ends: the error of dpkg-deb is more useful than that of the broken tar.
  const [made, taken] = await Promise.allSettled([child, readTar(child.stdout, read)]);
  if (made.status === 'rejected') throw made.reason;
  if (taken.status === 'rejected') throw taken.reason;
}

async function readTar(
  source: Readable,
  read: (entries: AsyncIterable<TreeEntry>) => Promise<void>,
): Promise<void> {
  const entries = tar.extract();
  source.pipe(entries);
  source.once('error', (error) => entries.destroy(error));
  await read(entries);
  source.resume();
  await finished(source, { writable: false });
}
