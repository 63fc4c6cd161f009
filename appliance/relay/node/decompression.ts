import type { Duplex } from 'node:stream';
import * as zlib from 'node:zlib';

/** Returns the functions that decompress a body, by content encoding. zstd needs Node 22.15. */
const decompressors = new Map<string, () => Duplex>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['deflate', () => zlib.createInflate()],
  ['br', () => zlib.createBrotliDecompress()],
  ...zstd(),
]);

function zstd(): Array<[string, () => Duplex]> {
  const { createZstdDecompress: create }: { createZstdDecompress?: () => Duplex } = zlib;
  return create ? [['zstd', () => create()]] : [];
}

/** Returns a stream that decompresses a content encoding; undefined for an unsupported one. */
export function decompressorFor(encoding: string): Duplex | undefined {
  return decompressors.get(encoding.trim().toLowerCase())?.();
}
