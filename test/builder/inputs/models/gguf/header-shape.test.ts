import { describe, expect, it } from 'vitest';
import { cachedValues } from '#contract/bundle/model-shape.ts';
import { modelOf } from '../../../../../builder/inputs/models/gguf/describe-gguf.ts';
import { headerShape } from '../../../../../builder/inputs/models/gguf/header-shape.ts';
import {
  readGgufHeader,
  type Scalar,
} from '../../../../../builder/inputs/models/gguf/read-header.ts';
import { type GgufValue, writeGguf } from '../../../../stand-ins/engine/gguf/gguf-writer.ts';
import { tinyGguf } from '../../../../stand-ins/engine/gguf/tiny-gguf.ts';

type Fields = Readonly<Record<string, Scalar | readonly Scalar[]>>;

function shapeWith(architecture: string, fields: Fields) {
  const metadata = new Map(
    Object.entries(fields).map(([key, value]) => [`${architecture}.${key}`, value]),
  );
  return headerShape({ metadata }, architecture);
}

/** Qwen3 8B, as its config.json has it. */
const qwen3 = {
  ...{ block_count: 36, context_length: 40_960, embedding_length: 4096 },
  ...{ 'attention.head_count': 32, 'attention.head_count_kv': 8 },
  ...{ 'attention.key_length': 128, 'attention.value_length': 128 },
};

describe('the shape of a model in its GGUF header', () => {
  it('multiplies layers, heads and lengths', () => {
    expect(shapeWith('qwen3', qwen3)).toEqual({ values: 36 * 8 * 256, context: 40_960 });
  });

  it('computes the length of a head and the heads of keys that the header leaves out', () => {
    const { 'attention.head_count_kv': _kv, ...rest } = qwen3;
    const { 'attention.key_length': _key, 'attention.value_length': _value, ...plain } = rest;
    expect(shapeWith('llama', plain)).toMatchObject({ values: 36 * 32 * 256 });
  });

  it('keeps a window for the layers of a known pattern, with a batch', () => {
    // Gemma 3 4B: every sixth layer keeps all tokens.
    const gemma3 = { ...qwen3, block_count: 34, 'attention.sliding_window': 1024 };
    expect(shapeWith('gemma3', gemma3)).toEqual({
      values: 5 * 8 * 256,
      window: { values: 29 * 8 * 256, tokens: 1792 },
      context: 40_960,
    });
    const listed = { ...gemma3, block_count: 2, 'attention.sliding_window_pattern': [true, false] };
    expect(shapeWith('other', listed)).toMatchObject({
      ...{ values: 8 * 256, window: { values: 8 * 256 } },
    });
  });

  it('counts a window of an unknown pattern as none, so that the memory is not too small', () => {
    const shape = shapeWith('other', { ...qwen3, 'attention.sliding_window': 1024 });
    expect(shape).toEqual(shapeWith('other', qwen3));
  });

  it('counts no layers with linear attention', () => {
    expect(shapeWith('qwen35', { ...qwen3, full_attention_interval: 4 })).toMatchObject({
      values: 9 * 8 * 256,
    });
    const byLayer = Array.from({ length: 36 }, (_, layer) => (layer < 2 ? 8 : 0));
    expect(shapeWith('hybrid', { ...qwen3, 'attention.head_count_kv': byLayer })).toMatchObject({
      values: 2 * 8 * 256,
    });
  });

  it('keeps nothing for an encoder', () => {
    expect(shapeWith('bert', { ...qwen3, 'attention.causal': false })).toMatchObject({ values: 0 });
  });

  it.each<[string, Fields]>([
    ['no layers', { ...qwen3, block_count: 0 }],
    ['no context', { ...qwen3, context_length: 'long' }],
    ['too many layers', { ...qwen3, block_count: 1001 }],
    ['another number of layers in a list', { ...qwen3, 'attention.head_count_kv': [8, 8] }],
    ['heads beyond any model', { ...qwen3, 'attention.head_count_kv': 2 ** 31 }],
    ['a head of a fraction', { ...qwen3, 'attention.key_length': 0.3 }],
  ])('leaves it unknown for a header with %s', (_what, fields) => {
    expect(shapeWith('qwen3', fields)).toBeUndefined();
  });

  it('reads it from a file, also from lists, with the vocabulary', async () => {
    const at = (bytes: Buffer) => (position: number, length: number) =>
      Promise.resolve(bytes.subarray(position, position + length));
    const tiny = tinyGguf();
    const { shape } = modelOf(await readGgufHeader(at(tiny), tiny.length));
    expect(shape && cachedValues(shape, 10)).toBeGreaterThan(0);
    const number = (value: number): GgufValue => ({ type: 'uint32', value });
    const file = writeGguf(
      {
        'general.architecture': { type: 'string', value: 'hybrid' },
        ...{ 'hybrid.block_count': number(2), 'hybrid.context_length': number(100) },
        ...{ 'hybrid.embedding_length': number(64), 'hybrid.attention.head_count': number(4) },
        'hybrid.attention.head_count_kv': { type: 'ints', value: [0, 2] },
      },
      [{ name: 'token_embd.weight', dimensions: [4, 3], data: new Float32Array(12) }],
    );
    expect(modelOf(await readGgufHeader(at(file), file.length)).shape).toEqual({
      ...{ values: 2 * 32, context: 100, vocabulary: 3 },
    });
  });
});
