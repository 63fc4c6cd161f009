/**
 * A tar writer for valid and invalid headers. It shares no code with the writer of bundles,
 * so that two independent implementations of ustar are compared.
 */
export interface HeaderFields {
  readonly name: string | Buffer;
  readonly mode: string;
  readonly uid: string;
  readonly gid: string;
  /** Bytes, written in octal; or the twelve bytes of the field. */
  readonly size: number | Buffer;
  /** Seconds since 1970, written in octal; or the raw text of the field. */
  readonly mtime: number | string;
  readonly typeflag: string;
  readonly linkname: string;
  readonly magic: string;
  readonly uname: string;
  readonly gname: string;
  readonly devmajor: string;
  readonly devminor: string;
  readonly prefix: string;
  /** The checksum to write; default: the correct one. */
  readonly checksum: string;
}

export const block = 512;

/** The padding of the last block. */
export function zerosAfter(size: number): Buffer {
  return Buffer.alloc((block - (size % block)) % block);
}

/** A valid header with the given fields replaced. */
export function tarHeader(
  name: string,
  size: number,
  mtime: number,
  fields: Partial<HeaderFields> = {},
): Buffer {
  const header = Buffer.alloc(block);
  const put = (at: number, value: string | Buffer) =>
    Buffer.from(value as string, 'latin1').copy(header, at);
  const octal = (value: number) => `${value.toString(8).padStart(11, '0')}\0`;
  const sizeField = fields.size ?? size;
  const timeField = fields.mtime ?? mtime;
  put(0, fields.name ?? name);
  put(100, fields.mode ?? '0000644\0');
  put(108, fields.uid ?? '0000000\0');
  put(116, fields.gid ?? '0000000\0');
  put(124, typeof sizeField === 'number' ? octal(sizeField) : sizeField);
  put(136, typeof timeField === 'number' ? octal(timeField) : timeField);
  put(156, fields.typeflag ?? '0');
  put(157, fields.linkname ?? '');
  put(257, fields.magic ?? 'ustar\x0000');
  put(265, fields.uname ?? '');
  put(297, fields.gname ?? '');
  put(329, fields.devmajor ?? '');
  put(337, fields.devminor ?? '');
  put(345, fields.prefix ?? '');
  put(148, fields.checksum ?? checksum(header));
  return header;
}

/** A size in base-256, the GNU format for sizes beyond eleven octal digits. */
export function base256(size: bigint): Buffer {
  const field = Buffer.alloc(12);
  field.writeBigUInt64BE(size, 4);
  field[0] = 0x80;
  return field;
}

function checksum(header: Buffer): string {
  let sum = 8 * 0x20;
  for (const byte of header) sum += byte;
  return `${sum.toString(8).padStart(6, '0')}\0 `;
}
