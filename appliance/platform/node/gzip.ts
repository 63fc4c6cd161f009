import { gzipSync } from 'node:zlib';

const operatingSystemField = 9;
const unknownSystem = 255;

/**
 * Compresses bytes with gzip; the same bytes give the same result on every system. Node leaves the time
 * out (RFC 1952, MTIME 0) but says on which system it ran.
 */
export const gzip: ((bytes: Uint8Array) => Uint8Array) | undefined = (bytes) => {
  const packed = gzipSync(bytes, { level: 9 });
  packed[operatingSystemField] = unknownSystem;
  return packed;
};
