import { gunzipSync, gzipSync } from 'node:zlib';

const operatingSystemField = 9;
const unknownSystem = 255;

/**
 * Compresses bytes with gzip, with identical output on all systems. Node writes no time (RFC 1952,
 * MTIME 0), but it writes the operating system.
 */
export const gzip: ((bytes: Uint8Array) => Uint8Array) | undefined = (bytes) => {
  const packed = gzipSync(bytes, { level: 9 });
  packed[operatingSystemField] = unknownSystem;
  return packed;
};

/**
 * Decompresses gzip. Returns undefined for damaged data, and for more than `max` bytes.
 */
export const gunzip: ((bytes: Uint8Array, max: number) => Uint8Array | undefined) | undefined = (
  bytes,
  max,
) => {
  try {
    return gunzipSync(bytes, { maxOutputLength: max });
  } catch {
    return undefined;
  }
};
