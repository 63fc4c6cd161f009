import {
  type GgufTensor,
  type GgufValue,
  writeGguf,
} from '../../stand-ins/engine/gguf/gguf-writer.ts';
import { tensor } from '../../stand-ins/engine/gguf/random-tensors.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What the model writes. */
export interface Script {
  /** Undefined: the model does not think. */
  readonly thinking?: string;
  readonly reply: string;
  /** Repeats the reply forever. */
  readonly endless?: true;
  /** What it writes instead if it has tools: first, after one result of a tool, after two, and so on. */
  readonly turns?: readonly string[];
}

/** Qwen3's special tokens and their numbers. */
const special = {
  start: { id: 151644, text: '<|im_start|>' },
  end: { id: 151645, text: '<|im_end|>' },
  think: { id: 151667, text: '<think>' },
  thought: { id: 151668, text: '</think>' },
} as const;
/** Ends the prompt before each of the `turns`, from 1. These are the tokens of Qwen3 for pictures. */
const turn = (number: number) => ({ id: 151_645 + number, text: `<|turn_${number}|>` });
const [normalToken, controlToken, userDefinedToken] = [1, 3, 4];

/** One dimension per direction of a Hadamard matrix. */
const width = 64;
/** Small, because coding agents send long prompts, and attention adds nothing. */
const head = 32;
/** Far above the logit of every other word, which is zero. */
const certainty = 8;

/**
 * Builds a model of Qwen3's architecture and vocabulary that recites a script: its layers add
 * nothing, and the embedding of each word of the script points to the next word. It thinks before
 * its reply, unless the prompt has an empty thought, as Qwen3 does.
 */
export function talkingGguf({ merges, ...vocabulary }: Vocabulary, script: Script): Buffer {
  const { thinking, reply, endless, turns = [] } = script;
  const starts = turns.map((_, index) => turn(index + 1));
  const { tokens, kinds } = withSpecialTokens(vocabulary, starts);
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const used = new Set<string>();
  let spare = tokens.length;
  /** Returns the number of a word, which is a token of its own if the vocabulary does not have it. */
  const idOf = (word: string) => {
    const token = word.replaceAll(' ', 'Ġ').replaceAll('\n', 'Ċ');
    const id = ids.get(token) ?? --spare;
    tokens[id] = token;
    kinds[id] = normalToken;
    used.add(word);
    return id;
  };
  /** Returns a token per word. One that occurs again is a part of the next, because no two tokens are equal. */
  const wordsOf = (text: string) => {
    const words: string[] = [];
    let rest = '';
    const isFree = () => !used.has(rest) && !words.includes(rest);
    for (const word of text.match(/\s*[^\s]+?(?=[\s,.:!?]|$)|[,.:!?]/gu) ?? []) {
      rest += word;
      if (!isFree()) continue;
      words.push(rest);
      rest = '';
    }
    while (rest !== '' && !isFree() && words.length > 0) rest = `${words.pop()}${rest}`;
    if (rest !== '' && !isFree()) throw new Error(`the script contains only "${rest}" again`);
    return [...words, rest].filter((word) => word !== '').map(idOf);
  };
  const [newline = 0, blankLine = 0] = [ids.get('Ċ'), ids.get('ĊĊ')];
  const thought = thinking
    ? [special.think.id, ...wordsOf(` ${thinking}`), special.thought.id, blankLine]
    : [];
  const words = wordsOf(reply);
  const [first = special.end.id] = words;
  const chains = [
    [newline, ...thought, ...words, endless ? first : special.end.id],
    ...turns.map((text, index) => [turn(index + 1).id, ...wordsOf(text), special.end.id]),
  ];
  return writeGguf(metadata(tokens, kinds, merges), tensors(tokens.length, chains));
}

interface Token {
  readonly id: number;
  readonly text: string;
}

function withSpecialTokens(
  { tokens, kinds }: Omit<Vocabulary, 'merges'>,
  more: readonly Token[],
): { tokens: string[]; kinds: number[] } {
  const { think, thought, ...control } = special;
  const named = (list: readonly Token[]) => new Map(list.map(({ id, text }) => [id, text]));
  const controls = named([...Object.values(control), ...more]);
  const visible = named([think, thought]);
  return {
    tokens: tokens.map((token, id) => controls.get(id) ?? visible.get(id) ?? token),
    kinds: kinds.map((kind, id) => {
      if (controls.has(id)) return controlToken;
      return visible.has(id) ? userDefinedToken : kind;
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
    'qwen3.attention.key_length': number(head),
    'qwen3.attention.value_length': number(head),
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

/** @param chains each word points to the next; the last of a chain points to nothing */
function tensors(words: number, chains: readonly (readonly number[])[]): GgufTensor[] {
  const links = chains.flatMap((chain) =>
    chain.slice(1).map((next, index) => ({ id: chain[index] ?? 0, next })),
  );
  if (links.length > 2 * width) throw new Error(`the script has ${links.length} words`);
  // Other words have the direction of the first, so that the model replies to any prompt.
  const embedding = new Float32Array(words * width).fill(1);
  const output = new Float32Array(words * width);
  for (const [index, { id, next }] of links.entries()) {
    for (let at = 0; at < width; at += 1) {
      const value = direction(index, at);
      embedding[id * width + at] = value;
      const cell = next * width + at;
      // A word with two predecessors points back to both.
      output[cell] = (output[cell] ?? 0) + (value * certainty) / Math.sqrt(width);
    }
  }
  const zero = (columns: number, rows: number) => (name: string) =>
    tensor(`blk.0.${name}.weight`, [columns, rows], () => 0);
  const one = (length: number) => (name: string) => tensor(`${name}.weight`, [length], () => 1);
  return [
    { name: 'token_embd.weight', dimensions: [width, words], data: embedding },
    { name: 'output.weight', dimensions: [width, words], data: output },
    ...['output_norm', 'blk.0.attn_norm', 'blk.0.ffn_norm'].map(one(width)),
    ...['blk.0.attn_q_norm', 'blk.0.attn_k_norm'].map(one(head)),
    ...['attn_q', 'attn_k', 'attn_v'].map(zero(width, head)),
    ...['attn_output'].map(zero(head, width)),
    ...['ffn_gate', 'ffn_up', 'ffn_down'].map(zero(width, width)),
  ];
}

/** Rows of a Hadamard matrix, then their negations: no two point in similar directions. */
function direction(index: number, at: number): number {
  let parity = (index % width) & at;
  for (const shift of [4, 2, 1]) parity ^= parity >> shift;
  const sign = parity & 1 ? -1 : 1;
  return index < width ? sign : -sign;
}
