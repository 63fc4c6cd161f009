import type { ModelShape } from '#contract/bundle/model-shape.ts';
import type { GgufHeader, Scalar } from './read-header.ts';

/** Architectures whose pattern of sliding windows is in llama.cpp and not in the file (`src/llama-model.cpp`). */
const patterns: Readonly<Record<string, number>> = {
  ...{ cohere2: 4, gemma2: 2, gemma3: 6, gemma3n: 5, 'gpt-oss': 2 },
};
/** llama.cpp adds a batch to a window, and rounds up (`src/llama-kv-cache-iswa.cpp`; measured). Tokens. */
const [batch, step] = [512, 256];

/**
 * Returns what a model keeps for a conversation, from its header; undefined if the header does not say it. A
 * window of an unknown pattern counts as none, so that the result is not too small.
 */
export function headerShape(
  { metadata, vocabulary }: Pick<GgufHeader, 'metadata' | 'vocabulary'>,
  architecture: string,
): ModelShape | undefined {
  const value = (key: string) => metadata.get(`${architecture}.${key}`);
  const number = (key: string) => numberOf(value(key));
  const [layers, context] = [number('block_count'), number('context_length')];
  const heads = largest(value('attention.head_count'));
  if (!layers || !context || !heads || layers > 1000) return undefined;
  if (value('attention.causal') === false) return { values: 0, context };
  const head = (number('embedding_length') ?? 0) / heads;
  const length =
    (number('attention.key_length') ?? head) + (number('attention.value_length') ?? head);
  const perLayer = listOf(value('attention.head_count_kv') ?? heads, layers);
  if (length <= 0 || !perLayer) return undefined;
  const interval = number('full_attention_interval') ?? 1;
  const window = number('attention.sliding_window') ?? 0;
  const isWindow = windowed(value('attention.sliding_window_pattern') ?? patterns[architecture]);
  let [values, inWindow] = [0, 0];
  for (const [layer, count] of perLayer.entries()) {
    // Linear attention keeps a state of fixed size.
    if ((layer + 1) % interval !== 0) continue;
    if (window > 0 && isWindow(layer)) inWindow += count * length;
    else values += count * length;
  }
  const tokens = Math.min(Math.ceil((window + 1 + batch) / step) * step, context);
  const all = [values, inWindow, context, tokens, vocabulary ?? 0];
  if (!all.every((each) => Number.isSafeInteger(each) && each >= 0 && each < 1e9)) return undefined;
  const inWindows = inWindow > 0 ? { window: { values: inWindow, tokens } } : {};
  return { values, ...inWindows, context, ...(vocabulary !== undefined && { vocabulary }) };
}

type Value = Scalar | readonly Scalar[] | undefined;

function numberOf(value: Value): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

function largest(value: Value): number | undefined {
  const numbers = (Array.isArray(value) ? value : [value]).flatMap((each) => numberOf(each) ?? []);
  return numbers.length > 0 ? Math.max(...numbers) : undefined;
}

/** Returns a number for each layer. */
function listOf(value: Value, layers: number): number[] | undefined {
  if (!Array.isArray(value)) return Array.from({ length: layers }, () => numberOf(value) ?? 0);
  const numbers = value.flatMap((each) => numberOf(each) ?? []);
  return numbers.length === layers ? numbers : undefined;
}

/** Returns whether a layer keeps only a window: every layer but the last of each group, or those of a list. */
function windowed(pattern: Value): (layer: number) => boolean {
  if (Array.isArray(pattern)) return (layer) => pattern[layer] === true || pattern[layer] === 1;
  const group = numberOf(pattern) ?? 1;
  return (layer) => layer % group < group - 1;
}
