import { createHash } from 'node:crypto';

/** Larger keys do not exist in practice. Bytes. */
const largestKey = 64 << 10;
const publicKeyTag = 6;

/**
 * The fingerprint of the first key in an OpenPGP file, binary or armored, as 40 upper-case hex
 * digits (RFC 4880, 12.2: SHA-1 over 0x99, two bytes of length, and the packet). Nothing where the
 * file does not begin with a public key of version 4.
 */
export function openpgpFingerprint(file: Buffer): string | undefined {
  if (file.length > largestKey) return undefined;
  const packet = firstPacket(dearmored(file));
  if (packet?.tag !== publicKeyTag || packet.body[0] !== 4) return undefined;
  const prefix = Buffer.from([0x99, packet.body.length >> 8, packet.body.length & 0xff]);
  return createHash('sha1').update(prefix).update(packet.body).digest('hex').toUpperCase();
}

/**
 * The bytes between the lines of ASCII armor (RFC 4880, 6.2), or the file as it is. Headers end with
 * an empty line; the checksum stands on a line that begins with an equals sign.
 */
function dearmored(file: Buffer): Buffer {
  const lines = file.toString('latin1').split(/\r?\n/);
  if (lines[0] !== '-----BEGIN PGP PUBLIC KEY BLOCK-----') return file;
  const body = lines.slice(lines.indexOf('') + 1);
  const end = body.findIndex((line) => /^[=-]/.test(line));
  return Buffer.from(body.slice(0, end).join(''), 'base64');
}

/** RFC 4880, 4.2: a header of the old or the new format, with a definite length. */
function firstPacket(bytes: Buffer): { tag: number; body: Buffer } | undefined {
  const header = bytes[0] ?? 0;
  if ((header & 0x80) === 0) return undefined;
  const [tag, begin, length] =
    (header & 0x40) === 0 ? oldFormat(bytes, header) : newFormat(bytes, header);
  if (length === undefined || begin + length > bytes.length || length > 0xffff) return undefined;
  return { tag, body: bytes.subarray(begin, begin + length) };
}

type Header = readonly [tag: number, begin: number, length: number | undefined];

function oldFormat(bytes: Buffer, header: number): Header {
  const tag = (header >> 2) & 0x0f;
  const width = [1, 2, 4][header & 0x03];
  if (width === undefined || bytes.length < 1 + width) return [tag, 0, undefined];
  return [tag, 1 + width, bytes.readUIntBE(1, width)];
}

function newFormat(bytes: Buffer, header: number): Header {
  const tag = header & 0x3f;
  const [first = 255, second = 0] = bytes.subarray(1);
  if (first < 192) return [tag, 2, first];
  if (first < 224) return [tag, 3, (first - 192) * 256 + second + 192];
  if (first !== 255 || bytes.length < 6) return [tag, 0, undefined];
  return [tag, 6, bytes.readUInt32BE(2)];
}
