/** A value of a GGUF file with its type. */
export type GgufValue =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'uint32'; readonly value: number }
  | { readonly type: 'float32'; readonly value: number }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'floats'; readonly value: readonly number[] }
  | { readonly type: 'ints'; readonly value: readonly number[] };

/** A tensor of 32-bit floats; the first dimension is the innermost. */
export interface GgufTensor {
  readonly name: string;
  readonly dimensions: readonly number[];
  readonly data: Float32Array;
}

/** Type numbers of the format (GGUF specification, "gguf_metadata_value_type"). */
const types = { uint32: 4, int32: 5, float32: 6, string: 8, array: 9 } as const;
const float32Tensor = 0;
const alignment = 32;

/** Writes a GGUF file, version 3: header, metadata, tensor descriptions, tensor data. */
export function writeGguf(
  metadata: Readonly<Record<string, GgufValue>>,
  tensors: readonly GgufTensor[],
): Buffer {
  const entries = Object.entries(metadata);
  const bodies = tensors.map(({ data }) => padded(Buffer.from(data.buffer)));
  const offsets = bodies.map((_, index) =>
    bodies.slice(0, index).reduce((sum, { length }) => sum + length, 0),
  );
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(3),
    uint64(tensors.length),
    uint64(entries.length),
    ...entries.flatMap(([key, value]) => [text(key), encoded(value)]),
    ...tensors.map((tensor, index) => description(tensor, offsets[index] ?? 0)),
  ]);
  return Buffer.concat([padded(head), ...bodies]);
}

function description({ name, dimensions }: GgufTensor, offset: number): Buffer {
  return Buffer.concat([
    text(name),
    uint32(dimensions.length),
    ...dimensions.map(uint64),
    uint32(float32Tensor),
    uint64(offset),
  ]);
}

function encoded(value: GgufValue): Buffer {
  switch (value.type) {
    case 'string':
      return Buffer.concat([uint32(types.string), text(value.value)]);
    case 'uint32':
      return Buffer.concat([uint32(types.uint32), uint32(value.value)]);
    case 'float32':
      return Buffer.concat([uint32(types.float32), float32(value.value)]);
    case 'strings':
      return array(types.string, value.value.map(text));
    case 'floats':
      return array(types.float32, value.value.map(float32));
    case 'ints':
      return array(types.int32, value.value.map(uint32));
  }
}

export function array(type: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(types.array), uint32(type), uint64(items.length), ...items]);
}

export function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

export function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function padded(bytes: Buffer): Buffer {
  const missing = (alignment - (bytes.length % alignment)) % alignment;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}
