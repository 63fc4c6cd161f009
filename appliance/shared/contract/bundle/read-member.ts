import type { ByteReader } from './byte-reader.ts';
import { refusal } from './refusals.ts';
import { blockSize, decodeTarHeader, paddingAfter, type TarEntry } from './tar-header.ts';

/**
 * Reads the next header; undefined at the first end-of-archive block.
 * @throws LandfallError BUNDLE_HEADER, BUNDLE_TRUNCATED
 */
export async function readHeader(reader: ByteReader): Promise<TarEntry | undefined> {
  const at = reader.position;
  const block = await reader.take(blockSize);
  if (block.every((byte) => byte === 0)) return undefined;
  const entry = decodeTarHeader(block);
  if (entry) return entry;
  // The message omits the header: unverified bytes must not reach a terminal.
  throw refusal('canonical-header', `the tar header at byte ${at} is not canonical`);
}

/**
 * Skips the padding after a member's content.
 * @throws LandfallError BUNDLE_HEADER unless it is all zeros
 */
export async function readPadding(reader: ByteReader, entry: TarEntry): Promise<void> {
  const padding = await reader.take(paddingAfter(entry.size));
  if (padding.some((byte) => byte !== 0)) {
    throw refusal('zero-padding', `the padding after ${entry.name} is not zero`);
  }
}
