import { LandfallError } from '#contract/errors.ts';
import { ByteCursor, damaged, type ReadAt } from './byte-cursor.ts';
import { readText, readValue, type Scalar } from './values.ts';

/** The fields of a GGUF header that Landfall uses. */
export interface GgufHeader {
  /** Value by key, for the wanted keys that exist. */
  readonly metadata: ReadonlyMap<string, Scalar>;
  /** Number of parameters (weights). */
  readonly parameters: bigint;
}

/** The keys to read. Other keys may be long and numerous. */
const wanted: ReadonlySet<string> = new Set([
  'general.alignment',
  'general.architecture',
  'general.file_type',
  'general.type',
  'split.count',
]);

/** Far beyond any existing model. */
const mostEntries = 65_536;
const mostDimensions = 8;
/** Maximum size of a header in bytes. Vocabularies make headers of some ten megabytes. */
const largestHeader = 512 * 1024 * 1024;
const defaultAlignment = 32;

/**
 * Reads the header of a GGUF file, versions 2 and 3 (ggml, `docs/gguf.md`), and checks that the
 * file is not truncated before the last tensor. Does not read the weights.
 * @param size size of the whole file in bytes
 * @throws LandfallError MODEL_FORMAT for a file that is not GGUF or is damaged
 */
export async function readGgufHeader(read: ReadAt, size: number): Promise<GgufHeader> {
  const cursor = new ByteCursor(read, Math.min(size, largestHeader));
  await expectMagic(cursor, size);
  const [tensors, entries] = [await cursor.uint64(), await cursor.uint64()];
  if (tensors > mostEntries || entries > mostEntries) {
    throw damaged('the number of tensors or values is out of range');
  }
  const metadata = new Map<string, Scalar>();
  for (let index = 0; index < entries; index += 1) {
    const key = await readText(cursor);
    const value = await readValue(cursor);
    if (value !== undefined && wanted.has(key)) metadata.set(key, value);
  }
  const { parameters, last } = await readTensors(cursor, tensors);
  const alignment = Number(metadata.get('general.alignment') ?? defaultAlignment);
  if (!(alignment >= 1 && alignment <= 2 ** 20)) throw damaged('the alignment is out of range');
  const data = Math.ceil(cursor.position / alignment) * alignment;
  // Every storage format uses at least one bit per weight.
  if (tensors > 0 && (data + last >= size || parameters > 8n * BigInt(size))) {
    throw damaged('it is truncated before its last tensor');
  }
  return { metadata, parameters };
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

/** Returns the number of parameters, and the offset of the last tensor after the header. */
async function readTensors(cursor: ByteCursor, count: number) {
  let [parameters, last] = [0n, 0];
  for (let index = 0; index < count; index += 1) {
    await readText(cursor);
    const dimensions = await cursor.uint32();
    if (dimensions > mostDimensions) throw damaged('a tensor has too many dimensions');
    let elements = 1n;
    for (let each = 0; each < dimensions; each += 1) elements *= BigInt(await cursor.uint64());
    parameters += elements;
    await cursor.uint32();
    last = Math.max(last, await cursor.uint64());
  }
  return { parameters, last };
}
