/** A packet of an OpenPGP message or key: its kind, and what is in it. */
export interface OpenpgpPacket {
  readonly tag: number;
  readonly body: Buffer;
}

/** A key with all its signatures has some dozens. */
const mostPackets = 1000;

/**
 * All packets of a sequence, of the old and the new format (RFC 4880, 4.2). Nothing where one of
 * them is cut off, has no definite length, or is followed by what is no packet.
 */
export function openpgpPackets(bytes: Buffer): OpenpgpPacket[] | undefined {
  const packets: OpenpgpPacket[] = [];
  for (let at = 0; at < bytes.length; ) {
    const header = headerOf(bytes.subarray(at));
    if (header?.length === undefined || packets.length === mostPackets) return undefined;
    const begin = at + header.size;
    at = begin + header.length;
    if (at > bytes.length) return undefined;
    packets.push({ tag: header.tag, body: bytes.subarray(begin, at) });
  }
  return packets;
}

interface Header {
  readonly tag: number;
  /** Bytes of the header itself. */
  readonly size: number;
  /** Bytes of the body; nothing where that is indefinite or cut off. */
  readonly length: number | undefined;
}

function headerOf(bytes: Buffer): Header | undefined {
  const first = bytes[0] ?? 0;
  if ((first & 0x80) === 0) return undefined;
  return (first & 0x40) === 0 ? oldFormat(bytes, first) : newFormat(bytes, first);
}

function oldFormat(bytes: Buffer, first: number): Header {
  const tag = (first >> 2) & 0x0f;
  const width = [1, 2, 4][first & 0x03];
  if (width === undefined || bytes.length < 1 + width) return { tag, size: 0, length: undefined };
  return { tag, size: 1 + width, length: bytes.readUIntBE(1, width) };
}

function newFormat(bytes: Buffer, first: number): Header {
  const tag = first & 0x3f;
  const [one, two] = bytes.subarray(1);
  if (one !== undefined && one < 192) return { tag, size: 2, length: one };
  if (one !== undefined && one < 224 && two !== undefined) {
    return { tag, size: 3, length: (one - 192) * 256 + two + 192 };
  }
  if (one !== 255 || bytes.length < 6) return { tag, size: 0, length: undefined };
  return { tag, size: 6, length: bytes.readUInt32BE(2) };
}
