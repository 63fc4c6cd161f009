import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Release, ReleaseFile } from '#contract/bundle/release.ts';
import type { VerifiedBundle } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import type { OpenBundle } from '../../bundle/archive/open-bundle.ts';
import { type TarMember, tarArchive } from '../../bundle/archive/tar-archive.ts';

/** Bytes that are read at once. */
const chunkSize = 1 << 20;
/** Maximum size of a file that is read into memory, in bytes. */
const maxInMemory = 16 << 20;

/**
 * Files of a verified bundle. Every read is compared with the signed manifest again, because the
 * bundle may change after its verification.
 */
export class BundleReader {
  readonly release: Release;
  readonly #files: ReadonlyMap<string, ReleaseFile>;
  readonly #start: number;
  readonly #bundle: Pick<OpenBundle, 'readAt'>;

  constructor({ release, headSize }: VerifiedBundle, bundle: Pick<OpenBundle, 'readAt'>) {
    this.release = release;
    this.#files = new Map(release.files.map((file) => [file.path, file]));
    this.#start = headSize;
    this.#bundle = bundle;
  }

  /** Returns the paths of all files below a folder. */
  below(folder: string): string[] {
    return [...this.#files.keys()].filter((path) => path.startsWith(`${folder}/`));
  }

  /** Returns the size of a file in bytes; undefined if the bundle does not contain it. */
  sizeOf(path: string): number | undefined {
    return this.#files.get(path)?.size;
  }

  /** @throws LandfallError BUNDLE_CONTENT */
  async read(path: string): Promise<Buffer> {
    if ((this.sizeOf(path) ?? 0) > maxInMemory) throw changed(path);
    return await buffer(this.stream(path));
  }

  /** Yields the content of a file. Its end is the proof of the content. @throws LandfallError BUNDLE_CONTENT */
  async *stream(path: string): AsyncGenerator<Buffer> {
    const file = this.#files.get(path);
    if (!file) throw changed(path);
    const hash = createHash('sha256');
    for (let done = 0; done < file.size; ) {
      const size = Math.min(chunkSize, file.size - done);
      const chunk = await this.#bundle.readAt(this.#start + file.offset + done, size);
      hash.update(chunk);
      done += size;
      yield chunk;
    }
    if (hash.digest('hex') !== file.sha256) throw changed(path);
  }
}

/** A file of an archive: bytes, or a file of the bundle. */
export interface Member {
  readonly name: string;
  readonly content: Uint8Array | { readonly path: string };
}

/**
 * Yields a tar archive with files of a bundle, and reports a transfer.
 * @throws LandfallError BUNDLE_CONTENT, BUNDLE_HEADER
 */
export async function* archiveOf(
  reader: BundleReader,
  label: string,
  members: readonly Member[],
  reporter: Reporter,
): AsyncGenerator<Uint8Array> {
  // Ollama removes blobs that look older than an hour.
  const mtime = Math.floor(Date.now() / 1000);
  const files = members.map(({ name, content }): TarMember => {
    const common = { name, mtime, executable: false };
    if (!('path' in content)) return { ...common, size: content.length, content };
    const { path } = content;
    return { ...common, size: reader.sizeOf(path) ?? 0, content: () => reader.stream(path) };
  });
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const transfer = reporter.transfer(label, total);
  try {
    for await (const bytes of tarArchive(files)) {
      transfer.advance(bytes.length);
      yield bytes;
    }
  } finally {
    transfer.end();
  }
}

function changed(path: string): LandfallError {
  const message = `${path} in the bundle is missing or changed after its verification`;
  return new LandfallError('BUNDLE_CONTENT', message, {
    hint: 'Do not write to the bundle while the preview starts. Run the command again.',
  });
}
