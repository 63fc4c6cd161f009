import {
  type GgufTensor,
  type GgufValue,
  writeGguf,
} from '../../stand-ins/engine/gguf/gguf-writer.ts';
import { tensor } from '../../stand-ins/engine/gguf/random-tensors.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What the model writes. No word may occur twice, because each word determines the next. */
export interface Script {
  /** Undefined: the model does not think. */
  readonly thinking?: string;
  readonly reply: string;
  /** Repeats the reply forever. */
  readonly endless?: true;
}

/** Qwen3's special tokens and their numbers. */
const special = {
  start: { id: 151644, text: '<|im_start|>' },
  end: { id: 151645, text: '<|im_end|>' },
  think: { id: 151667, text: '<think>' },
  thought: { id: 151668, text: '</think>' },
} as const;
const [controlToken, userDefinedToken] = [3, 4];

/** One dimension per direction of a Hadamard matrix. */
const width = 64;
/** Far above the logit of every other word, which is zero. */
const certainty = 8;

/**
 * Builds a model of Qwen3's architecture and vocabulary that recites a script: its layers add
 * nothing, and the embedding of each word of the script points to the next word. It thinks before
 * its reply, unless the prompt has an empty thought, as Qwen3 does.
 */
export function talkingGguf(vocabulary: Vocabulary, script: Script): Buffer {
  const { tokens, kinds } = withSpecialTokens(vocabulary);
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const wordsOf = (text: string) =>
    text.match(/ ?[^\s]+?(?=[\s,.:!?]|$)|[,.:!?]/gu)?.map((word) => {
      const id = ids.get(word.replace(' ', 'Ġ'));
      if (id === undefined) throw new Error(`not one token of the vocabulary: "${word}"`);
      return id;
    }) ?? [];
  const [newline = 0, blankLine = 0] = [ids.get('Ċ'), ids.get('ĊĊ')];
  const { thinking, reply } = script;
  const thought = thinking
    ? [special.think.id, ...wordsOf(` ${thinking}`), special.thought.id, blankLine]
    : [];
  const words = wordsOf(reply);
  const [first = special.end.id] = words;
  const chain = [newline, ...thought, ...words];
  return writeGguf(
    metadata(tokens, kinds, vocabulary.merges),
    tensors(tokens.length, chain, script.endless ? first : special.end.id),
  );
}

function withSpecialTokens({ tokens, kinds }: Vocabulary) {
  const named = new Map<number, string>(Object.values(special).map(({ id, text }) => [id, text]));
  return {
    tokens: tokens.map((token, id) => named.get(id) ?? token),
    kinds: kinds.map((kind, id) => {
      if (!named.has(id)) return kind;
      return id === special.end.id || id === special.start.id ? controlToken : userDefinedToken;
    }),
  };
}

function metadata(
  tokens: readonly string[],
  kinds: readonly number[],
  merges: readonly string[],
): Record<string, GgufValue> {
  const number = (value: number) => ({ type: 'uint32', value }) as const;
  return {
    'general.architecture': { type: 'string', value: 'qwen3' },
    'general.name': { type: 'string', value: 'talking' },
    'general.file_type': number(0),
    'general.quantization_version': number(2),
    'qwen3.context_length': number(40_960),
    'qwen3.embedding_length': number(width),
    'qwen3.block_count': number(1),
    'qwen3.feed_forward_length': number(width),
    'qwen3.attention.head_count': number(1),
    'qwen3.attention.head_count_kv': number(1),
    'qwen3.attention.key_length': number(width),
    'qwen3.attention.value_length': number(width),
    'qwen3.attention.layer_norm_rms_epsilon': { type: 'float32', value: 1e-6 },
    'qwen3.rope.freq_base': { type: 'float32', value: 1_000_000 },
    'tokenizer.ggml.model': { type: 'string', value: 'gpt2' },
    'tokenizer.ggml.pre': { type: 'string', value: 'qwen2' },
    'tokenizer.ggml.tokens': { type: 'strings', value: tokens },
    'tokenizer.ggml.token_type': { type: 'ints', value: kinds },
    'tokenizer.ggml.merges': { type: 'strings', value: merges },
    'tokenizer.ggml.eos_token_id': number(special.end.id),
    'tokenizer.ggml.padding_token_id': number(151_643),
    'tokenizer.ggml.bos_token_id': number(151_643),
  };
}

/** @param last follows the last word of the chain */
function tensors(words: number, chain: readonly number[], last: number): GgufTensor[] {
  if (new Set(chain).size !== chain.length) {
    const twice = chain.filter((id, index) => chain.indexOf(id) !== index);
    throw new Error(`words that occur twice in the script: ${twice}`);
  }
  if (chain.length > 2 * width) throw new Error(`the script has ${chain.length} words`);
  const embedding = new Float32Array(words * width);
  const output = new Float32Array(words * width);
  for (const [index, id] of chain.entries()) {
    const next = chain[index + 1] ?? last;
    for (let at = 0; at < width; at += 1) {
      const value = direction(index, at);
      embedding[id * width + at] = value;
      const cell = next * width + at;
      // A word with two predecessors points back to both.
      output[cell] = (output[cell] ?? 0) + (value * certainty) / Math.sqrt(width);
    }
  }
  const zero = (name: string) => tensor(`blk.0.${name}.weight`, [width, width], () => 0);
  const one = (name: string) => tensor(`${name}.weight`, [width], () => 1);
  return [
    { name: 'token_embd.weight', dimensions: [width, words], data: embedding },
    { name: 'output.weight', dimensions: [width, words], data: output },
    one('output_norm'),
    ...['attn_norm', 'attn_q_norm', 'attn_k_norm', 'ffn_norm'].map((name) => one(`blk.0.${name}`)),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map(zero),
    ...['ffn_gate', 'ffn_up', 'ffn_down'].map(zero),
  ];
}

/** Rows of a Hadamard matrix, then their negations: no two point in similar directions. */
function direction(index: number, at: number): number {
  let parity = (index % width) & at;
  for (const shift of [4, 2, 1]) parity ^= parity >> shift;
  const sign = parity & 1 ? -1 : 1;
  return index < width ? sign : -sign;
}
