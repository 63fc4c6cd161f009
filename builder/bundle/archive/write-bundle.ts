import { open } from 'node:fs/promises';
import { blockSize, endOfArchive, paddingAfter } from '#contract/bundle/tar-header.ts';
import type { Digest } from '#contract/trust/digest.ts';
import { fileError } from '#files/file-error.ts';
import type { Statistics } from '../../base/progress/statistics.ts';
import type { SignedHead } from '../sign/sign-release.ts';
import type { BundleEntry } from './entry.ts';
import { OutputFiles } from './parts/output-files.ts';
import { partSizeOf } from './parts.ts';
import { type TarMember, tarArchive } from './tar-archive.ts';

/** Bytes that are read at once. */
const chunkSize = 1024 * 1024;

interface BundleContents {
  readonly head: SignedHead;
  readonly entries: readonly BundleEntry[];
  /** mtime of every member, in seconds since 1970. */
  readonly mtime: number;
  /** Maximum size of a file in bytes; a larger bundle is written in parts. */
  readonly maxPartSize?: number | undefined;
}

export interface BundleDeps {
  /** Returns the path of a blob once it is in the store and verified. */
  readonly ready: (digest: Digest) => Promise<string>;
  readonly statistics: Statistics;
  readonly onBytes?: (bytes: number) => void;
}

/** The files of a bundle that was written. */
interface WrittenBundle {
  /** The bundle, or its parts in order. */
  readonly paths: readonly string[];
  /** Size of each part except the last, in bytes. Undefined: one file. */
  readonly partSize: number | undefined;
}

/**
 * Writes a bundle: head, files in order, end of archive. Blobs may still be in transfer; each is
 * awaited when it is next, so that disk and network work in parallel. The files get their final names
 * only when the bundle is complete; then they replace those of an earlier bundle.
 * @param path path of the whole file; parts add a number to it
 * @throws LandfallError DISK_FULL, FILE_ACCESS, USAGE for too many parts, and what `ready` throws
 */
export async function writeBundle(
  path: string,
  contents: BundleContents,
  deps: BundleDeps,
): Promise<WrittenBundle> {
  const partSize = partSizeOf(sizeOf(contents), contents.maxPartSize);
  // Not synced, to save time: a bundle can be built again. One that a power failure corrupted is
  // rebuilt (`BuiltBundles`) and fails verification.
  const output = new OutputFiles(path, partSize);
  try {
    for await (const bytes of tarArchive(membersOf(contents, deps))) {
      await output.write(bytes);
      deps.statistics.written += bytes.length;
      deps.onBytes?.(bytes.length);
    }
    return { paths: await output.complete(), partSize };
  } catch (error) {
    await output.discard();
    throw fileError(error, path);
  }
}

/** Returns the size of the bundle in bytes. */
function sizeOf({ head, entries }: BundleContents): number {
  const sizes = [
    ...[...head.values()].map(({ length }) => length),
    ...entries.map(({ size }) => size),
  ];
  const members = sizes.map((size) => blockSize + size + paddingAfter(size));
  return members.reduce((sum, size) => sum + size, endOfArchive.length);
}

function* membersOf(
  { head, entries, mtime }: BundleContents,
  { ready }: BundleDeps,
): Generator<TarMember> {
  const buffer = Buffer.allocUnsafeSlow(chunkSize);
  for (const [name, content] of head) {
    yield { name, size: content.length, mtime, executable: false, content };
  }
  for (const { path: name, size, executable, content } of entries) {
    const isBlob = 'digest' in content;
    const bytes = isBlob ? () => readBlob(ready(content.digest), size, buffer) : content;
    yield { name, size, mtime, executable, content: bytes };
  }
}

/** Yields a blob. All chunks share the buffer, so each must be used before the next is requested. */
async function* readBlob(
  ready: Promise<string>,
  size: number,
  buffer: Buffer,
): AsyncGenerator<Uint8Array> {
  const path = await ready;
  await using file = await open(path, 'r');
  for (let rest = size; rest > 0; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(rest, buffer.length));
    if (bytesRead === 0) throw new Error(`${path} was truncated while it was read`);
    rest -= bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
