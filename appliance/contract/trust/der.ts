/** A value in DER: its identifier octet and its content (X.690, section 8.1). */
interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
}

/**
 * Splits bytes into the DER values that follow each other. Undefined for what is not DER: a length that
 * is not as short as possible, or beyond the end. Longer values than 65,535 bytes are not read.
 */
export function readDer(bytes: Uint8Array): DerValue[] | undefined {
  const values: DerValue[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const [tag = 0] = rest;
    const length = lengthOf(rest);
    if (!length || length.start + length.size > rest.length) return undefined;
    const end = length.start + length.size;
    values.push({ tag, content: rest.subarray(length.start, end) });
    rest = rest.subarray(end);
  }
  return values;
}

/** Where the content starts, and its size (X.690, sections 8.1.3 and 10.1). */
function lengthOf(bytes: Uint8Array): { start: number; size: number } | undefined {
  const [, first, second = 0, third = 0] = bytes;
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: 2, size: first };
  if (first === 0x81 && second >= 0x80) return { start: 3, size: second };
  if (first === 0x82 && second > 0) return { start: 4, size: second * 256 + third };
  return undefined;
}
