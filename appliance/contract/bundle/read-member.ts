import type { ByteReader } from './byte-reader.ts';
import { refusal } from './refusals.ts';
import { blockSize, decodeTarHeader, paddingAfter, type TarEntry } from './tar-header.ts';

/**
 * Reads the next header, or undefined at the first block of the end of the archive.
 * @throws LandfallError BUNDLE_HEADER, BUNDLE_TRUNCATED
 */
export async function readHeader(reader: ByteReader): Promise<TarEntry | undefined> {
  const at = reader.position;
  const block = await reader.take(blockSize);
  if (block.every((byte) => byte === 0)) return undefined;
  const entry = decodeTarHeader(block);
  if (entry) return entry;
  // Nothing of the header is shown: a terminal is no place for bytes that nobody vouches for.
  throw refusal('canonical-header', `the tar header at byte ${at} is not one that Landfall writes`);
}

/**
 * Reads over the padding that follows a member's content.
 * @throws LandfallError BUNDLE_HEADER when it is not all zeros
 */
export async function readPadding(reader: ByteReader, entry: TarEntry): Promise<void> {
  const padding = await reader.take(paddingAfter(entry.size));
  if (padding.some((byte) => byte !== 0)) {
    throw refusal('zero-padding', `bytes are hidden behind ${entry.name}`);
  }
}
