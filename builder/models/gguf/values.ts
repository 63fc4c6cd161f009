import { type ByteCursor, damaged } from './byte-cursor.ts';

/** A value of a GGUF header, except arrays. */
export type Scalar = string | number | bigint | boolean;

/** `gguf_metadata_value_type` (ggml, `docs/gguf.md`): size and reader of each type. */
const scalars: ReadonlyMap<number, { readonly size: number; readonly read: Read }> = new Map([
  [0, { size: 1, read: (bytes) => bytes.readUInt8() }],
  [1, { size: 1, read: (bytes) => bytes.readInt8() }],
  [2, { size: 2, read: (bytes) => bytes.readUInt16LE() }],
  [3, { size: 2, read: (bytes) => bytes.readInt16LE() }],
  [4, { size: 4, read: (bytes) => bytes.readUInt32LE() }],
  [5, { size: 4, read: (bytes) => bytes.readInt32LE() }],
  [6, { size: 4, read: (bytes) => bytes.readFloatLE() }],
  [7, { size: 1, read: (bytes) => bytes.readUInt8() !== 0 }],
  [10, { size: 8, read: (bytes) => bytes.readBigUInt64LE() }],
  [11, { size: 8, read: (bytes) => bytes.readBigInt64LE() }],
  [12, { size: 8, read: (bytes) => bytes.readDoubleLE() }],
]);
const textType = 8;
const listType = 9;

type Read = (bytes: Buffer) => Scalar;

/** Maximum length of a string in bytes. Prompt templates are the longest, some ten kilobytes. */
const maxText = 1024 * 1024;
/** Maximum length of an array. Vocabularies are the longest, some hundred thousand strings. */
const longestList = 16 * 1024 * 1024;

/**
 * Reads a value with its type. Skips arrays and returns undefined for them.
 * @throws LandfallError MODEL_FORMAT
 */
export async function readValue(cursor: ByteCursor): Promise<Scalar | undefined> {
  const type = await cursor.uint32();
  if (type === textType) return await readText(cursor);
  if (type === listType) return await skipList(cursor);
  const scalar = scalars.get(type);
  if (!scalar) throw damaged('a value has an unknown type');
  return scalar.read(await cursor.bytes(scalar.size));
}

/** Reads a length-prefixed string. @throws LandfallError MODEL_FORMAT */
export async function readText(cursor: ByteCursor): Promise<string> {
  return (await cursor.bytes(await textLength(cursor))).toString('utf8');
}

async function skipList(cursor: ByteCursor): Promise<undefined> {
  const type = await cursor.uint32();
  const count = await cursor.uint64();
  if (count > longestList) throw damaged('an array is too long');
  const scalar = scalars.get(type);
  if (scalar) cursor.skip(count * scalar.size);
  else if (type === textType) {
    for (let index = 0; index < count; index += 1) cursor.skip(await textLength(cursor));
  } else throw damaged('an array has an unknown type');
}

async function textLength(cursor: ByteCursor): Promise<number> {
  const length = await cursor.uint64();
  if (length <= maxText) return length;
  throw damaged('a string is too long');
}
