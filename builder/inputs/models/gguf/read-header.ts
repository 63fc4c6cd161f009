import { LandfallError } from '#contract/errors.ts';

/** The fields of a GGUF header that Landfall uses. */
export interface GgufHeader {
  /** Value by key, for the wanted keys that exist. */
  readonly metadata: ReadonlyMap<string, Scalar | readonly Scalar[]>;
  /** Number of parameters (weights). */
  readonly parameters: bigint;
  /** Tokens of the vocabulary: the rows of its embeddings. */
  readonly vocabulary?: number;
}

/** The keys to read. Other keys may be long and numerous. */
const wanted: ReadonlySet<string> = new Set([
  'general.alignment',
  'general.architecture',
  'general.file_type',
  'general.type',
  'split.count',
]);
/** Keys below the architecture, about the memory of a conversation. Some are lists, by layer. */
const wantedOfModel =
  /^[\w-]{1,64}\.(?:block_count|context_length|embedding_length|full_attention_interval|attention\.(?:causal|head_count|head_count_kv|key_length|value_length|sliding_window|sliding_window_pattern))$/;
/** Longer lists are skipped: no model has so many layers. */
const maxWantedList = 1000;

/** Far beyond any existing model. */
const maxEntries = 65_536;
const maxDimensions = 8;
/** Maximum size of a header in bytes. Vocabularies make headers of some ten megabytes. */
const maxHeader = 512 * 1024 * 1024;
const defaultAlignment = 32;

/**
 * Reads the header of a GGUF file, versions 2 and 3 (ggml, `docs/gguf.md`), and checks that the
 * file is not truncated before the last tensor. Does not read the weights.
 * @param size size of the whole file in bytes
 * @throws LandfallError MODEL_FORMAT for a file that is not GGUF or is damaged
 */
export async function readGgufHeader(read: ReadAt, size: number): Promise<GgufHeader> {
  const cursor = new ByteCursor(read, Math.min(size, maxHeader));
  await expectMagic(cursor, size);
  const [tensors, entries] = [await cursor.uint64(), await cursor.uint64()];
  if (tensors > maxEntries || entries > maxEntries) {
    throw damaged('the number of tensors or values is out of range');
  }
  const metadata = new Map<string, Scalar | readonly Scalar[]>();
  for (let index = 0; index < entries; index += 1) {
    const key = await readText(cursor);
    const isWanted = wanted.has(key) || wantedOfModel.test(key);
    const value = await readValue(cursor, isWanted ? maxWantedList : 0);
    if (value !== undefined && isWanted) metadata.set(key, value);
  }
  const { parameters, last, vocabulary } = await readTensors(cursor, tensors);
  const alignment = Number(metadata.get('general.alignment') ?? defaultAlignment);
  if (!(alignment >= 1 && alignment <= 2 ** 20)) throw damaged('the alignment is out of range');
  const data = Math.ceil(cursor.position / alignment) * alignment;
  // Every storage format uses at least one bit per weight.
  if (tensors > 0 && (data + last >= size || parameters > 8n * BigInt(size))) {
    throw damaged('it is truncated before its last tensor');
  }
  return { metadata, parameters, ...(vocabulary !== undefined && { vocabulary }) };
}

async function expectMagic(cursor: ByteCursor, size: number): Promise<void> {
  const magic = size < 24 ? '' : (await cursor.bytes(4)).toString('latin1');
  if (magic !== 'GGUF') {
    throw new LandfallError('MODEL_FORMAT', 'the file is not a GGUF file', {
      hint: 'Use the URL or path of a .gguf file, not of a web page or a safetensors file.',
    });
  }
  const version = await cursor.uint32();
  if (version === 2 || version === 3) return;
  throw new LandfallError('MODEL_FORMAT', 'the GGUF file has an unsupported version', {
    hint: 'Convert the model with a current llama.cpp; supported are versions 2 and 3, little-endian.',
  });
}

/** Returns the number of parameters, the offset of the last tensor after the header, and the vocabulary. */
async function readTensors(cursor: ByteCursor, count: number) {
  let [parameters, last] = [0n, 0];
  let vocabulary: number | undefined;
  for (let index = 0; index < count; index += 1) {
    const name = await readText(cursor);
    const dimensions = await cursor.uint32();
    if (dimensions > maxDimensions) throw damaged('a tensor has too many dimensions');
    let elements = 1n;
    for (let each = 0; each < dimensions; each += 1) {
      const length = await cursor.uint64();
      elements *= BigInt(length);
      if (name === 'token_embd.weight' && each === 1) vocabulary = length;
    }
    parameters += elements;
    await cursor.uint32();
    last = Math.max(last, await cursor.uint64());
  }
  return { parameters, last, vocabulary };
}

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
const maxList = 16 * 1024 * 1024;

/**
 * Reads a value with its type. Skips arrays of strings and long ones, and returns undefined for them.
 * @param maxRead entries of the longest array that is read
 * @throws LandfallError MODEL_FORMAT
 */
async function readValue(
  cursor: ByteCursor,
  maxRead: number,
): Promise<Scalar | readonly Scalar[] | undefined> {
  const type = await cursor.uint32();
  if (type === textType) return await readText(cursor);
  if (type === listType) return await readList(cursor, maxRead);
  const scalar = scalars.get(type);
  if (!scalar) throw damaged('a value has an unknown type');
  return scalar.read(await cursor.bytes(scalar.size));
}

/** Reads a length-prefixed string. @throws LandfallError MODEL_FORMAT */
async function readText(cursor: ByteCursor): Promise<string> {
  return (await cursor.bytes(await textLength(cursor))).toString('utf8');
}

async function readList(cursor: ByteCursor, maxRead: number): Promise<Scalar[] | undefined> {
  const type = await cursor.uint32();
  const count = await cursor.uint64();
  if (count > maxList) throw damaged('an array is too long');
  const scalar = scalars.get(type);
  if (scalar && count <= maxRead) {
    const values: Scalar[] = [];
    for (let index = 0; index < count; index += 1) {
      values.push(scalar.read(await cursor.bytes(scalar.size)));
    }
    return values;
  }
  if (scalar) cursor.skip(count * scalar.size);
  else if (type === textType) {
    for (let index = 0; index < count; index += 1) cursor.skip(await textLength(cursor));
  } else throw damaged('an array has an unknown type');
  return undefined;
}

async function textLength(cursor: ByteCursor): Promise<number> {
  const length = await cursor.uint64();
  if (length <= maxText) return length;
  throw damaged('a string is too long');
}

/** Reads bytes of a file. Returns fewer only at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

const chunkBytes = 1024 * 1024;

/** Reads little-endian values of a file sequentially, with one chunk in memory. */
class ByteCursor {
  readonly #read: ReadAt;
  readonly #size: number;
  #chunk: Buffer = Buffer.alloc(0);
  /** Offset of the chunk in the file. */
  #start = 0;
  #position = 0;

  /** @param size size of the whole file in bytes */
  constructor(read: ReadAt, size: number) {
    this.#read = read;
    this.#size = size;
  }

  /** Offset from the start of the file, in bytes. */
  get position(): number {
    return this.#position;
  }

  async uint32(): Promise<number> {
    return (await this.bytes(4)).readUInt32LE();
  }

  /** Reads a 64-bit number. @throws LandfallError MODEL_FORMAT above the largest safe integer */
  async uint64(): Promise<number> {
    const number = (await this.bytes(8)).readBigUInt64LE();
    if (number <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(number);
    throw damaged('a number is out of range');
  }

  /**
   * Returns bytes that are valid until the next call. @throws LandfallError MODEL_FORMAT past the
   * end
   */
  async bytes(count: number): Promise<Buffer> {
    const at = this.#position - this.#start;
    if (at < 0 || at + count > this.#chunk.length) await this.#load(count);
    const from = this.#position - this.#start;
    this.skip(count);
    return this.#chunk.subarray(from, from + count);
  }

  /** Skips bytes. @throws LandfallError MODEL_FORMAT past the end */
  skip(count: number): void {
    if (count > this.#size - this.#position) throw damaged('it is truncated');
    this.#position += count;
  }

  async #load(count: number): Promise<void> {
    this.#chunk = await this.#read(this.#position, Math.max(count, chunkBytes));
    this.#start = this.#position;
    if (this.#chunk.length < count) throw damaged('it is truncated');
  }
}

/** Returns the error for a file that contradicts its header. */
function damaged(found: string): LandfallError {
  return new LandfallError('MODEL_FORMAT', `the GGUF file is damaged: ${found}`, {
    hint: 'Download the file again from its publisher.',
  });
}
