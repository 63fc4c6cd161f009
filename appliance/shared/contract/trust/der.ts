/** A DER value: its identifier octet and its content (X.690, section 8.1). */
interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
}

/**
 * Splits bytes into consecutive DER values. Undefined for invalid DER: a length that is not
 * minimal or exceeds the input. Values above 65,535 bytes are not supported.
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

/** Returns start and size of the content (X.690, sections 8.1.3 and 10.1). */
function lengthOf(bytes: Uint8Array): { start: number; size: number } | undefined {
  const [, first, second = 0, third = 0] = bytes;
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: 2, size: first };
  if (first === 0x81 && second >= 0x80) return { start: 3, size: second };
  if (first === 0x82 && second > 0) return { start: 4, size: second * 256 + third };
  return undefined;
}
