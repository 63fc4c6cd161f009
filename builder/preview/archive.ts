import { encodeTarHeader, endOfArchive, paddingAfter } from '#contract/bundle/tar-header.ts';
import type { Transfer } from '../progress/reporter.ts';
import type { BundleReader } from './bundle-reader.ts';

/** A file of an archive: bytes, or a file of the bundle. */
interface Member {
  readonly name: string;
  readonly content: Uint8Array | { readonly path: string };
}

/**
 * Yields a tar archive with files of a bundle.
 * @throws LandfallError BUNDLE_CONTENT, BUNDLE_HEADER
 */
export async function* archiveOf(
  reader: BundleReader,
  members: readonly Member[],
  transfer: Transfer,
): AsyncGenerator<Uint8Array> {
  // Ollama removes blobs that look older than an hour.
  const mtime = Math.floor(Date.now() / 1000);
  for (const { name, content } of members) {
    const size = 'path' in content ? (reader.sizeOf(content.path) ?? 0) : content.length;
    yield encodeTarHeader({ name, size, mtime, executable: false });
    if ('path' in content) {
      for await (const chunk of reader.stream(content.path)) {
        transfer.advance(chunk.length);
        yield chunk;
      }
    } else if (size > 0) yield content;
    const padding = paddingAfter(size);
    if (padding > 0) yield new Uint8Array(padding);
  }
  yield endOfArchive;
}
