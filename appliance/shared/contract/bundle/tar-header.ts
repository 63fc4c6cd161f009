import { LandfallError } from '../errors.ts';
import { areEqual, encodeUtf8, toLatin1 } from '../text/bytes.ts';
import { pathPattern } from './bundle-paths.ts';

/**
 * The only allowed tar header: POSIX ustar (IEEE 1003.1-1988), a regular file, mode 0644 or 0755,
 * owner 0:0, no user names, no links, no extensions. It follows from name, size, mtime and
 * executable alone, so a verifier regenerates and compares it. A header that differs in any byte
 * is rejected without interpretation.
 */
export interface TarEntry {
  /** A path that matches `path.ts`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Seconds since 1970, up to the year 2242. */
  readonly mtime: number;
  readonly executable: boolean;
}

export const blockSize = 512;
/** Two zero blocks end an archive. */
export const endOfArchive = new Uint8Array(2 * blockSize);

/** The largest value of eleven octal digits. */
const maxOctal = 0o77777777777;

/**
 * Returns the header of an entry, 512 bytes.
 * @throws LandfallError BUNDLE_HEADER when the entry cannot be encoded
 */
export function encodeTarHeader(entry: TarEntry): Uint8Array {
  if (!isEncodable(entry)) {
    throw new LandfallError('BUNDLE_HEADER', `${entry.name} does not fit into a tar header`, {
      hint: 'Use a plain path of at most 100 characters, and a time between 1970 and 2242.',
    });
  }
  const header = new Uint8Array(blockSize);
  write(header, entry.name, 0);
  write(header, entry.executable ? '0000755\0' : '0000644\0', 100);
  write(header, '0000000\0', 108);
  write(header, '0000000\0', 116);
  writeSize(header, entry.size);
  write(header, `${octal(entry.mtime, 11)}\0`, 136);
  write(header, '0', 156);
  write(header, 'ustar\x0000', 257);
  writeChecksum(header);
  return header;
}

/** Decodes a header of `encodeTarHeader`. Returns undefined for any other block. */
export function decodeTarHeader(block: Uint8Array): TarEntry | undefined {
  const end = block.indexOf(0);
  const entry: TarEntry = {
    name: toLatin1(block.subarray(0, Math.min(end === -1 ? 100 : end, 100))),
    size: readSize(block),
    mtime: readOctal(block, 136, 11),
    executable: toLatin1(block.subarray(100, 107)) === '0000755',
  };
  return isEncodable(entry) && areEqual(encodeTarHeader(entry), block) ? entry : undefined;
}

/** Returns the number of zero bytes that pad a content of this size. */
export function paddingAfter(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize;
}

function isEncodable({ name, size, mtime }: TarEntry): boolean {
  const wholeSize = Number.isSafeInteger(size) && size >= 0;
  const wholeTime = Number.isSafeInteger(mtime) && mtime >= 0 && mtime <= maxOctal;
  return pathPattern.test(name) && wholeSize && wholeTime;
}

/** Writes ASCII. */
function write(header: Uint8Array, text: string, at: number): void {
  header.set(encodeUtf8(text), at);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

/**
 * Sizes from 8 GiB do not fit into eleven octal digits: base-256, which GNU tar and Python read.
 */
function writeSize(header: Uint8Array, size: number): void {
  if (size <= maxOctal) {
    write(header, `${octal(size, 11)}\0`, 124);
    return;
  }
  header[124] = 0x80;
  viewOf(header).setBigUint64(128, BigInt(size));
}

function readSize(block: Uint8Array): number {
  if (block[124] !== 0x80) return readOctal(block, 124, 11);
  const size = viewOf(block).getBigUint64(128);
  return size > BigInt(Number.MAX_SAFE_INTEGER) ? Number.NaN : Number(size);
}

function readOctal(block: Uint8Array, start: number, digits: number): number {
  const text = toLatin1(block.subarray(start, start + digits));
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

/** Writes the sum of all header bytes, with the checksum field counted as spaces. */
function writeChecksum(header: Uint8Array): void {
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(header, `${octal(sum, 6)}\0 `, 148);
}
