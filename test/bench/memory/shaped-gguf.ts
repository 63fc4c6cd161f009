import { open } from 'node:fs/promises';
import type { Vocabulary } from '../../real/model/vocabulary.ts';
import { array, float32, text, uint32, uint64 } from '../../stand-ins/engine/gguf/gguf-writer.ts';

/** The shape of a published model: what its `config.json` says. */
export interface Shape {
  readonly architecture: 'qwen3' | 'gemma3';
  readonly embedding: number;
  readonly layers: number;
  readonly feedForward: number;
  readonly heads: number;
  readonly keyValueHeads: number;
  /** Numbers of a head. */
  readonly head: number;
  readonly words: number;
  readonly window?: number;
}

/** More than the models were trained for, because Ollama lowers a context to that. */
const context = 131_072;

/** Types of tensors (ggml, `enum ggml_type`), with bytes of a block and its numbers. */
const types = {
  f32: { id: 0, bytes: 4, block: 1 },
  q4: { id: 2, bytes: 18, block: 32 },
  q8: { id: 8, bytes: 34, block: 32 },
} as const;

interface Tensor {
  readonly name: string;
  readonly dimensions: readonly number[];
  readonly type: keyof typeof types;
}

/**
 * Writes a GGUF file in the shape of a model, with random weights: Q4_0, and Q8_0 for the embeddings, which are
 * also the output. About as large as Q4_K_M. @returns its size in bytes
 */
export async function writeShapedGguf(
  path: string,
  shape: Shape,
  vocabulary: Vocabulary,
): Promise<number> {
  const tensors = tensorsOf(shape);
  const entries = Object.entries(metadataOf(shape, vocabulary));
  let offset = 0;
  const descriptions = tensors.map((tensor) => {
    const described = description(tensor, offset);
    offset += aligned(bytesOf(tensor));
    return described;
  });
  const counts = [uint32(3), uint64(tensors.length), uint64(entries.length)];
  const values = entries.map(([key, value]) => Buffer.concat([text(key), value]));
  const head = Buffer.concat([Buffer.from('GGUF'), ...counts, ...values, ...descriptions]);
  const file = await open(path, 'w');
  try {
    await file.write(head, 0, head.length, 0);
    let at = aligned(head.length);
    for (const tensor of tensors) {
      await writeData(file, at, tensor);
      at += aligned(bytesOf(tensor));
    }
    await file.truncate(at);
    return at;
  } finally {
    await file.close();
  }
}

/** Fills a tensor with repeated random blocks, whose scale is small enough for finite results. */
async function writeData(
  file: Awaited<ReturnType<typeof open>>,
  start: number,
  tensor: Tensor,
): Promise<void> {
  const { bytes } = types[tensor.type];
  const piece = Buffer.alloc(bytes * 65_536);
  for (let block = 0; block < piece.length; block += bytes) {
    if (tensor.type === 'f32') piece.writeFloatLE(1, block);
    else {
      // The scale: 2^-10 as a half float.
      piece.writeUInt16LE(0x1400, block);
      for (let at = 2; at < bytes; at += 1) piece[block + at] = Math.random() * 256;
    }
  }
  const end = start + bytesOf(tensor);
  for (let at = start; at < end; at += piece.length)
    await file.write(piece, 0, Math.min(piece.length, end - at), at);
}

function tensorsOf(shape: Shape): Tensor[] {
  const { embedding, layers, feedForward, heads, keyValueHeads, head, words } = shape;
  const norm = (name: string, length = embedding): Tensor => ({
    ...{ name: `${name}.weight`, dimensions: [length], type: 'f32' },
  });
  const matrix = (name: string, columns: number, rows: number): Tensor => ({
    ...{ name: `${name}.weight`, dimensions: [columns, rows], type: 'q4' },
  });
  const after = shape.architecture === 'gemma3' ? ['post_attention_norm', 'post_ffw_norm'] : [];
  const layer = (index: number) => {
    const name = (part: string) => `blk.${index}.${part}`;
    return [
      ...['attn_norm', 'ffn_norm', ...after].map((each) => norm(name(each))),
      ...['attn_q_norm', 'attn_k_norm'].map((each) => norm(name(each), head)),
      matrix(name('attn_q'), embedding, heads * head),
      ...['attn_k', 'attn_v'].map((each) => matrix(name(each), embedding, keyValueHeads * head)),
      matrix(name('attn_output'), heads * head, embedding),
      ...['ffn_gate', 'ffn_up'].map((each) => matrix(name(each), embedding, feedForward)),
      matrix(name('ffn_down'), feedForward, embedding),
    ];
  };
  return [
    { name: 'token_embd.weight', dimensions: [embedding, words], type: 'q8' },
    norm('output_norm'),
    ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
  ];
}

function metadataOf(shape: Shape, { tokens, kinds, merges }: Vocabulary): Record<string, Buffer> {
  const { architecture: name, embedding, layers, feedForward, heads, keyValueHeads, head } = shape;
  const all = Array.from({ length: shape.words }, (_, id) => tokens[id] ?? `unused ${id}`);
  const normal = 1;
  return {
    'general.architecture': string(name),
    'general.name': string('shape'),
    'general.file_type': number(2),
    'general.quantization_version': number(2),
    [`${name}.context_length`]: number(context),
    [`${name}.embedding_length`]: number(embedding),
    [`${name}.block_count`]: number(layers),
    [`${name}.feed_forward_length`]: number(feedForward),
    [`${name}.attention.head_count`]: number(heads),
    [`${name}.attention.head_count_kv`]: number(keyValueHeads),
    [`${name}.attention.key_length`]: number(head),
    [`${name}.attention.value_length`]: number(head),
    [`${name}.attention.layer_norm_rms_epsilon`]: real(1e-6),
    [`${name}.rope.freq_base`]: real(1_000_000),
    ...(shape.window ? { [`${name}.attention.sliding_window`]: number(shape.window) } : {}),
    'tokenizer.ggml.model': string('gpt2'),
    'tokenizer.ggml.pre': string('qwen2'),
    'tokenizer.ggml.tokens': array(8, all.map(text)),
    'tokenizer.ggml.token_type': array(
      5,
      all.map((_, id) => uint32(kinds[id] ?? normal)),
    ),
    'tokenizer.ggml.merges': array(8, merges.map(text)),
    'tokenizer.ggml.eos_token_id': number(151_645),
    'tokenizer.ggml.padding_token_id': number(151_643),
    'tokenizer.ggml.bos_token_id': number(151_643),
  };
}

function description({ name, dimensions, type }: Tensor, offset: number): Buffer {
  const shape = [uint32(dimensions.length), ...dimensions.map(uint64)];
  return Buffer.concat([text(name), ...shape, uint32(types[type].id), uint64(offset)]);
}

function bytesOf({ dimensions, type }: Tensor): number {
  const { bytes, block } = types[type];
  return (dimensions.reduce((product, each) => product * each, 1) / block) * bytes;
}

const aligned = (bytes: number) => Math.ceil(bytes / 32) * 32;
const string = (value: string) => Buffer.concat([uint32(8), text(value)]);
const number = (value: number) => Buffer.concat([uint32(4), uint32(value)]);
const real = (value: number) => Buffer.concat([uint32(6), float32(value)]);
