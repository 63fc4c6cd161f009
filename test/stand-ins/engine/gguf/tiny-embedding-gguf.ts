import { type GgufTensor, type GgufValue, writeGguf } from './gguf-writer.ts';
import { gaussian, tensor } from './random-tensors.ts';

/** The shape of the embedding model: the minimum of llama.cpp, with the context of `all-minilm:22m`. */
export const tinyEmbeddingShape = {
  embedding: 64,
  layers: 1,
  heads: 4,
  feedForward: 128,
  context: 256,
} as const;

/**
 * Builds a complete embedding model of a quarter of a megabyte in the GGUF format: BERT's
 * architecture, a vocabulary of single characters, random weights. Ollama accepts it for
 * `/api/embed` and lists the capability `embedding`. Equal texts have equal vectors, and texts with
 * common characters have similar ones. The same seed produces the same bytes.
 */
export function tinyEmbeddingGguf(seed = 1): Buffer {
  return writeGguf(metadata(), tensors(gaussian(seed)));
}

/** Kinds of tokens (llama.cpp, `llama_token_type`). */
const kind = { normal: 1, unknown: 2, control: 3 } as const;

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
/** The tokenizer converts text to lower case before a lookup. */
const characters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
  (character) => !/[A-Z]/.test(character),
);
/** In GGUF, the first piece of a word starts with U+2581, the others have no prefix. */
const vocabulary = [
  ...special,
  ...characters.map((character) => `\u2581${character}`),
  ...characters,
];
const tokenTypes = 2;

function metadata(): Record<string, GgufValue> {
  const { embedding, layers, heads, feedForward, context } = tinyEmbeddingShape;
  const meanPooling = 1;
  return {
    'general.architecture': { type: 'string', value: 'bert' },
    'general.name': { type: 'string', value: 'tiny-random-embedding' },
    'general.file_type': { type: 'uint32', value: 0 },
    'general.quantization_version': { type: 'uint32', value: 2 },
    'bert.context_length': { type: 'uint32', value: context },
    'bert.embedding_length': { type: 'uint32', value: embedding },
    'bert.block_count': { type: 'uint32', value: layers },
    'bert.feed_forward_length': { type: 'uint32', value: feedForward },
    'bert.attention.head_count': { type: 'uint32', value: heads },
    'bert.attention.layer_norm_epsilon': { type: 'float32', value: 1e-12 },
    // Ollama treats a model with this key as an embedding model.
    'bert.pooling_type': { type: 'uint32', value: meanPooling },
    'tokenizer.ggml.model': { type: 'string', value: 'bert' },
    'tokenizer.ggml.token_type_count': { type: 'uint32', value: tokenTypes },
    'tokenizer.ggml.tokens': { type: 'strings', value: vocabulary },
    'tokenizer.ggml.scores': { type: 'floats', value: vocabulary.map(() => 0) },
    'tokenizer.ggml.token_type': { type: 'ints', value: kinds() },
    'tokenizer.ggml.padding_token_id': { type: 'uint32', value: special.indexOf('[PAD]') },
    'tokenizer.ggml.unknown_token_id': { type: 'uint32', value: special.indexOf('[UNK]') },
    'tokenizer.ggml.cls_token_id': { type: 'uint32', value: special.indexOf('[CLS]') },
    'tokenizer.ggml.bos_token_id': { type: 'uint32', value: special.indexOf('[CLS]') },
    'tokenizer.ggml.seperator_token_id': { type: 'uint32', value: special.indexOf('[SEP]') },
    'tokenizer.ggml.mask_token_id': { type: 'uint32', value: special.indexOf('[MASK]') },
  };
}

function kinds(): number[] {
  return vocabulary.map((token) => {
    if (!special.includes(token)) return kind.normal;
    return token === '[UNK]' ? kind.unknown : kind.control;
  });
}

function tensors(random: () => number): GgufTensor[] {
  const { embedding, layers, feedForward, context } = tinyEmbeddingShape;
  const matrix = (name: string, columns: number, rows: number) =>
    tensor(`${name}.weight`, [columns, rows], () => random() * 0.05);
  const bias = (name: string, length: number) => tensor(`${name}.bias`, [length], () => 0);
  const norm = (name: string) => [
    tensor(`${name}.weight`, [embedding], () => 1),
    bias(name, embedding),
  ];
  const linear = (name: string, columns: number, rows: number) => [
    matrix(name, columns, rows),
    bias(name, rows),
  ];
  const block = (index: number) => {
    const name = (part: string) => `blk.${index}.${part}`;
    return [
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].flatMap((part) =>
        linear(name(part), embedding, embedding),
      ),
      ...norm(name('attn_output_norm')),
      ...linear(name('ffn_up'), embedding, feedForward),
      ...linear(name('ffn_down'), feedForward, embedding),
      ...norm(name('layer_output_norm')),
    ];
  };
  return [
    matrix('token_embd', embedding, vocabulary.length),
    matrix('token_types', embedding, tokenTypes),
    matrix('position_embd', embedding, context),
    ...norm('token_embd_norm'),
    ...Array.from({ length: layers }, (_, index) => block(index)).flat(),
  ];
}
