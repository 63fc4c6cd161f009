import type { Shape } from './shaped-gguf.ts';

const qwen3 = {
  architecture: 'qwen3',
  heads: 16,
  keyValueHeads: 8,
  head: 128,
  words: 151_936,
} as const;

/** From the `config.json` of the publishers. */
export const shapes: Readonly<Record<string, Shape>> = {
  'qwen3:0.6b': { ...qwen3, embedding: 1024, layers: 28, feedForward: 3072 },
  'qwen3:1.7b': { ...qwen3, embedding: 2048, layers: 28, feedForward: 6144 },
  'gemma3:1b': {
    ...{ architecture: 'gemma3', embedding: 1152, layers: 26, feedForward: 6912, heads: 4 },
    ...{ keyValueHeads: 1, head: 256, words: 262_144, window: 512 },
  },
};
