import { LandfallError } from '#contract/errors.ts';
import { ByteCursor, damaged, type ReadAt } from './byte-cursor.ts';
import { readText, readValue, type Scalar } from './values.ts';

/** What the header of a GGUF file says of the model, as far as it is needed. */
export interface GgufHeader {
  /** Value by key, for those of the wanted keys that are there. */
  readonly metadata: ReadonlyMap<string, Scalar>;
  /** How many numbers its weights are. */
  readonly parameters: bigint;
}

/** The keys that are looked at; the others may be long, and many. */
const wanted: ReadonlySet<string> = new Set([
  'general.alignment',
  'general.architecture',
  'general.file_type',
  'general.type',
  'split.count',
]);

/** Far beyond any model that there is. */
const mostEntries = 65_536;
const mostDimensions = 8;
/** Vocabularies make headers of some ten megabytes. Bytes. */
const largestHeader = 512 * 1024 * 1024;
const defaultAlignment = 32;

/**
 * Reads the header of a GGUF file, versions 2 and 3 (ggml, `docs/gguf.md`), and makes sure that the
 * file goes on to where the header says that the last tensor begins. The weights are not looked at.
 * @param size bytes of the whole file
 * @throws LandfallError MODEL_FORMAT for what is no GGUF file, or a damaged one
 */
export async function readGgufHeader(read: ReadAt, size: number): Promise<GgufHeader> {
  const cursor = new ByteCursor(read, Math.min(size, largestHeader));
  await expectMagic(cursor, size);
  const [tensors, entries] = [await cursor.uint64(), await cursor.uint64()];
  if (tensors > mostEntries || entries > mostEntries) {
    throw damaged('it announces more tensors or values than any model has');
  }
  const metadata = new Map<string, Scalar>();
  for (let index = 0; index < entries; index += 1) {
    const key = await readText(cursor);
    const value = await readValue(cursor);
    if (value !== undefined && wanted.has(key)) metadata.set(key, value);
  }
  const { parameters, last } = await readTensors(cursor, tensors);
  const alignment = Number(metadata.get('general.alignment') ?? defaultAlignment);
  if (!(alignment >= 1 && alignment <= 2 ** 20)) throw damaged('its alignment makes no sense');
  const data = Math.ceil(cursor.position / alignment) * alignment;
  // No way of storing weights takes less than a bit for each.
  if (tensors > 0 && (data + last >= size || parameters > 8n * BigInt(size))) {
    throw damaged('it ends before its last tensor');
  }
  return { metadata, parameters };
}

async function expectMagic(cursor: ByteCursor, size: number): Promise<void> {
  const magic = size < 24 ? '' : (await cursor.bytes(4)).toString('latin1');
  if (magic !== 'GGUF') {
    throw new LandfallError('MODEL_FORMAT', 'the file is no GGUF file', {
      hint: 'Name the file of a model itself, with the ending .gguf; not its web page, and no safetensors.',
    });
  }
  const version = await cursor.uint32();
  if (version === 2 || version === 3) return;
  throw new LandfallError('MODEL_FORMAT', 'the GGUF file has a version that is not known', {
    hint: 'Known are versions 2 and 3, little-endian. Convert the model with a current llama.cpp.',
  });
}

/** The number of all parameters, and where behind the header the last tensor begins. */
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
