import {
  encodeTarHeader,
  endOfArchive,
  paddingAfter,
  type TarEntry,
} from '#contract/bundle/tar-header.ts';

/** A file of an archive: its bytes, or what yields them when it is next. */
export interface TarMember extends TarEntry {
  readonly content: Uint8Array | (() => AsyncIterable<Uint8Array>);
}

/**
 * Yields a tar archive with files in this order. Members may share a buffer: use each chunk before the next.
 * @throws LandfallError BUNDLE_HEADER
 */
export async function* tarArchive(members: Iterable<TarMember>): AsyncGenerator<Uint8Array> {
  for (const { content, ...entry } of members) {
    yield encodeTarHeader(entry);
    if (typeof content === 'function') yield* content();
    else yield content;
    yield new Uint8Array(paddingAfter(entry.size));
  }
  yield endOfArchive;
}
