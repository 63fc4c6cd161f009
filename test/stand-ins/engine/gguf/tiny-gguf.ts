import { type GgufTensor, type GgufValue, writeGguf } from './gguf-writer.ts';
import { gaussian, tensor } from './random-tensors.ts';

/** The shape of the model: the minimum of llama.cpp. */
export const tinyShape = {
  embedding: 64,
  layers: 2,
  heads: 4,
  feedForward: 128,
  context: 512,
} as const;

/**
 * Builds a complete language model of half a megabyte in the GGUF format: llama's architecture, a
 * vocabulary of single bytes, random weights. It generates real tokens without meaning: it tests
 * protocols and files, not quality. The same seed produces the same bytes.
 * @param pace milliseconds that the stand-in for Ollama waits after each token; default: none
 */
export function tinyGguf(seed = 1, pace?: number): Buffer {
  const slow: Record<string, GgufValue> =
    pace === undefined ? {} : { [paceKey]: { type: 'uint32', value: pace } };
  return writeGguf({ ...metadata(), ...slow }, tensors(gaussian(seed)));
}

const paceKey = 'stand-in.pace';

/** Returns the pace in the first bytes of such a file. */
export function paceIn(head: Buffer): number | undefined {
  const at = head.indexOf(paceKey);
  // The type of the value precedes it, in four bytes.
  return at === -1 ? undefined : head.readUInt32LE(at + paceKey.length + 4);
}

/** Kinds of tokens (llama.cpp, `llama_token_type`). */
const kind = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;

/** `<unk> <s> </s>`, every byte, a word separator and the printable characters. */
const special = ['<unk>', '<s>', '</s>'];
const endToken = special.indexOf('</s>');
const bytes = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
);
const characters = [
  '\u2581',
  ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)),
];
const vocabulary = [...special, ...bytes, ...characters];
const firstCharacter = special.length + bytes.length;

function metadata(): Record<string, GgufValue> {
  const { embedding, layers, heads, feedForward, context } = tinyShape;
  return {
    'general.architecture': { type: 'string', value: 'llama' },
    'general.name': { type: 'string', value: 'tiny-random' },
    'general.file_type': { type: 'uint32', value: 0 },
    'general.quantization_version': { type: 'uint32', value: 2 },
    'llama.vocab_size': { type: 'uint32', value: vocabulary.length },
    'llama.context_length': { type: 'uint32', value: context },
    'llama.embedding_length': { type: 'uint32', value: embedding },
    'llama.block_count': { type: 'uint32', value: layers },
    'llama.feed_forward_length': { type: 'uint32', value: feedForward },
    'llama.attention.head_count': { type: 'uint32', value: heads },
    'llama.attention.head_count_kv': { type: 'uint32', value: heads },
    'llama.rope.dimension_count': { type: 'uint32', value: embedding / heads },
    'llama.attention.layer_norm_rms_epsilon': { type: 'float32', value: 1e-5 },
    'tokenizer.ggml.model': { type: 'string', value: 'llama' },
    'tokenizer.ggml.tokens': { type: 'strings', value: vocabulary },
    'tokenizer.ggml.scores': { type: 'floats', value: scores() },
    'tokenizer.ggml.token_type': { type: 'ints', value: kinds() },
    'tokenizer.ggml.bos_token_id': { type: 'uint32', value: 1 },
    'tokenizer.ggml.eos_token_id': { type: 'uint32', value: endToken },
    'tokenizer.ggml.unknown_token_id': { type: 'uint32', value: 0 },
    'tokenizer.chat_template': {
      type: 'string',
      value: "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: ",
    },
  };
}

/** Scores decrease from character to character, so that there are no ties. */
function scores(): number[] {
  return [...special.map(() => 0), ...bytes.map(() => 0), ...characters.map((_, index) => -index)];
}

function kinds(): number[] {
  return [
    kind.unknown,
    kind.control,
    kind.control,
    ...bytes.map(() => kind.byte),
    ...characters.map(() => kind.normal),
  ];
}

function tensors(random: () => number): GgufTensor[] {
  const { embedding, layers, feedForward } = tinyShape;
  const norm = (name: string) => tensor(name, [embedding], () => 1);
  const matrix = (name: string, columns: number, rows: number) =>
    tensor(name, [columns, rows], () => random() * 0.05);
  const output = matrix('output.weight', embedding, vocabulary.length);
  // A token with a score of zero is never among the most likely. An end-of-text token would end a
  // response before its first word, and llama-server ends a stream without `done: true` as soon as
  // single bytes are not valid UTF-8.
  output.data.fill(0, 0, firstCharacter * embedding);
  const block = (index: number) => {
    const name = (part: string) => `blk.${index}.${part}.weight`;
    return [
      norm(name('attn_norm')),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((part) =>
        matrix(name(part), embedding, embedding),
      ),
      norm(name('ffn_norm')),
      matrix(name('ffn_gate'), embedding, feedForward),
      matrix(name('ffn_up'), embedding, feedForward),
      matrix(name('ffn_down'), feedForward, embedding),
    ];
  };
  return [
    matrix('token_embd.weight', embedding, vocabulary.length),
    norm('output_norm.weight'),
    output,
    ...Array.from({ length: layers }, (_, index) => block(index)).flat(),
  ];
}
