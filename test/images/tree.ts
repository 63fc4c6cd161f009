import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { execa } from 'execa';
import tar, { type Extract } from 'tar-stream';
import type { DebianMirror } from '../setup/debian-mirror.ts';
import { withMmdebstrap } from '../setup/mmdebstrap.ts';

/** A file, folder or link of unpacked packages, read in one pass. */
export type TreeEntry = Extract extends AsyncIterable<infer Entry> ? Entry : never;

/**
 * Unpacks Debian packages, with all that they depend on, and hands the files to `read` one by one,
 * without running a script of any package: so it works for another architecture as well.
 * @throws Unmet when mmdebstrap is not here, or its error.
 */
export async function readTree(
  packages: readonly string[],
  architecture: 'amd64' | 'arm64',
  mirror: DebianMirror,
  read: (entries: AsyncIterable<TreeEntry>) => Promise<void>,
): Promise<void> {
  const bootstrap = {
    variant: 'extract',
    suite: 'trixie',
    architecture,
    packages,
    target: '-',
  } as const;
  await withMmdebstrap(bootstrap, mirror, async (command, args, env) => {
    const child = execa(command, args, { env, stdin: 'ignore', buffer: { stdout: false } });
    // Both ends are awaited: what mmdebstrap says about a failure beats the broken tar it leaves.
    const [made, taken] = await Promise.allSettled([child, readTar(child.stdout, read)]);
    if (made.status === 'rejected') throw made.reason;
    if (taken.status === 'rejected') throw taken.reason;
  });
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
