import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { manifestName } from '#contract/bundle/head.ts';
import { refusal } from '#contract/bundle/refusals.ts';
import { partName, withoutPart } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { fileError } from '#files/file-error.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import { pathsToRead } from './parts.ts';

/** An open bundle, in one file or in parts, read sequentially from its start. */
export interface OpenBundle extends AsyncDisposable {
  readonly content: AsyncIterable<Buffer>;
  /** Bytes. */
  readonly size: number;
  /** Size of each part except the last, in bytes. Undefined: one file. */
  readonly partSize: number | undefined;
  /**
   * Reads a range of regular files, independent of `content`.
   * @throws LandfallError BUNDLE_TRUNCATED
   */
  readAt(position: number, size: number): Promise<Buffer>;
  close(): Promise<void>;
}

interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** Bytes. */
  readonly size: number;
}

const chunkSize = 1024 * 1024;

/**
 * Opens a bundle for one sequential read and reports the progress as a transfer.
 * @param path one file, or any of its parts; `….tar` names the parts too
 * @throws LandfallError FILE_MISSING, FILE_ACCESS; BUNDLE_TRUNCATED for parts of a wrong size;
 *   BUNDLE_HEADER for a file of another kind
 */
export async function openBundle(path: string, reporter: Reporter): Promise<OpenBundle> {
  const files: OpenFile[] = [];
  const closeAll = async () => {
    for (const { handle } of files) await handle.close();
  };
  try {
    const paths = await pathsToRead(path);
    for (const each of paths) files.push(await openFile(each));
    const isWhole = paths.length === 1 && paths[0] === withoutPart(path);
    const partSize = isWhole ? undefined : checkSizes(files);
    const size = files.reduce((sum, file) => sum + file.size, 0);
    await refuseOther(paths[0] ?? path, files);
    const transfer = reporter.transfer('reading', size);
    const close = async () => {
      transfer.end();
      await closeAll();
    };
    return {
      content: contentOf(files, (bytes) => transfer.advance(bytes)),
      size,
      partSize,
      readAt: (position, length) => readAt(files, partSize, position, length),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * Rejects a file of another kind, such as a text or a compressed archive: a tar header has a mark at
 * this position (POSIX, pax). A file that is too short for one is truncated.
 */
async function refuseOther(path: string, files: readonly OpenFile[]): Promise<void> {
  const [first] = files;
  if (first === undefined || !(await first.handle.stat()).isFile()) return;
  const { buffer, bytesRead } = await first.handle.read(
    Buffer.alloc(headerMark.end),
    0,
    headerMark.end,
    0,
  );
  const isTar = buffer.toString('latin1', headerMark.start, headerMark.end) === headerMark.text;
  const isCut = bytesRead < headerMark.end && isManifestName(buffer.subarray(0, bytesRead));
  if (isTar || isCut) return;
  throw new LandfallError('BUNDLE_HEADER', `${path} is not a bundle`, {
    hint: 'Use the .tar file that `landfall build` wrote, or its folder.',
  });
}

const headerMark = { start: 257, end: 262, text: 'ustar' };

/** The name of the first member is at the start of a bundle. */
function isManifestName(bytes: Buffer): boolean {
  return bytes.every((byte, index) => byte === (manifestName.charCodeAt(index) || 0));
}

async function openFile(path: string): Promise<OpenFile> {
  try {
    const handle = await open(path, 'r');
    return { path, handle, size: (await handle.stat()).size };
  } catch (error) {
    throw fileError(error, path);
  }
}

async function* contentOf(
  files: readonly OpenFile[],
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (const { path, handle } of files) {
    for (;;) {
      const { buffer, bytesRead } = await handle
        .read(Buffer.allocUnsafe(chunkSize), 0, chunkSize)
        // A folder can be opened, but not read.
        .catch((error: unknown) => {
          throw fileError(error, path);
        });
      if (bytesRead === 0) break;
      onBytes(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  }
}

async function readAt(
  files: readonly OpenFile[],
  partSize: number | undefined,
  position: number,
  length: number,
): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const step = partSize ?? Number.POSITIVE_INFINITY;
  for (let filled = 0; filled < length; ) {
    const [at, rest] = [position + filled, length - filled];
    const file = files[Math.floor(at / step)]?.handle;
    const bytesRead = (await file?.read(bytes, filled, rest, at % step))?.bytesRead ?? 0;
    if (bytesRead === 0) throw truncated(rest, at);
    filled += bytesRead;
  }
  return bytes;
}

function truncated(missing: number, position: number): Error {
  return refusal(
    'not-truncated',
    `the bundle is truncated: ${missing} bytes are missing after byte ${position}`,
  );
}

interface SizedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Returns the size of the parts of a bundle. All parts have the size of the first one, except the last,
 * which is smaller.
 * @throws LandfallError BUNDLE_TRUNCATED for another size
 */
export function checkSizes(parts: readonly SizedFile[]): number {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) throw new Error('a bundle has at least one part');
  const other = parts.slice(0, -1).find(({ size }) => size !== first.size);
  if (other) throw wrongSize(other, first.size);
  if (last.size === 0 || last.size > first.size) throw wrongSize(last, first.size);
  if (last.size < first.size) return first.size;
  const next = partName(basename(withoutPart(last.path)), parts.length);
  throw refusal(
    'not-truncated',
    `the bundle is truncated: its last part has ${last.size} bytes like the others, so ${next} is missing`,
  );
}

function wrongSize({ path, size }: SizedFile, expected: number): Error {
  const message = `${basename(path)} has ${size} bytes instead of ${expected}, the size of the first part`;
  return refusal('not-truncated', message);
}
