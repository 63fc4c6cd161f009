import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { limitsOf } from '#contract/sizes/limits.ts';
import { localModels } from '#contract/sizes/local-models.ts';
import { contextOf, memoryFor, minContext, promptCacheOf } from '#contract/sizes/model-memory.ts';

const model = (name: string, size: number, role: ReleaseModel['role'] = 'chat'): ReleaseModel => ({
  ...{ name, role, size, manifest: null },
});
const [eight, four, small] = [
  model('qwen3:8b', 5.2e9),
  model('qwen3:4b-instruct', 2.5e9),
  model('qwen3:1.7b', 1.36e9),
];
const embedding = model('all-minilm:22m', 46e6, 'embedding');
const multilingual = model('qwen3-embedding:0.6b', 640e6, 'embedding');
const models = [eight, four, small, embedding, multilingual];
const GiB = 1024 ** 3;
const sold = (gigabytes: number, cpus = 4) => ({ memory: gigabytes * GiB * 0.96, cpus });
const context = (gigabytes: number, cpus: number) => {
  const server = sold(gigabytes, cpus);
  return contextOf(localModels({ models }, { models: undefined }, server).models, server);
};

describe('the memory of a model', () => {
  // Layers, heads and their size are published: 28 or 36 layers, 8 heads of 128 values.
  it.each([
    [small, 28],
    [multilingual, 28],
    [four, 36],
    [eight, 36],
  ])('grows with the context as the shape of $name requires', (each, layers) => {
    const perToken = (memoryFor(each, 8192) - memoryFor(each, 4096)) / 4096;
    const mask = 2 * 512;
    expect(perToken).toBe(layers * 2 * 8 * 128 * 2 + mask);
  });

  it('grows with a vocabulary beyond that of Qwen 3', () => {
    const shape = { values: 26 * 512, context: 32_768 };
    const of = (vocabulary: number) =>
      memoryFor({ ...model('mine:1b', 1e9), shape: { ...shape, vocabulary } }, 4096);
    expect(of(262_144) - of(151_936)).toBe(110_208_000);
    expect(of(32_000)).toBe(of(151_936));
    expect(of(151_936)).toBe(memoryFor({ ...model('mine:1b', 1e9), shape }, 4096));
  });

  it('does not grow with the context for an encoder', () => {
    expect(memoryFor(embedding, 16_384)).toBe(memoryFor(embedding, 4096));
  });
});

describe('the context of a server', () => {
  it.each([
    [4, 2, 8192],
    [6, 2, 8192],
    [8, 2, 16_384],
    [8, 4, 8192],
    [16, 4, 16_384],
  ])('holds, with %i GB and %i processors, %i tokens', (memory, cpus, tokens) => {
    expect(context(memory, cpus)).toBe(tokens);
  });

  it('uses the smallest context for models that the site names and that hardly fit', () => {
    expect(contextOf([model('heavy:2b', 1.9e9), embedding], sold(4))).toBe(minContext);
  });

  it('uses the context of the largest chat model', () => {
    expect(contextOf([eight, small, embedding], sold(8))).toBe(
      contextOf([eight, embedding], sold(8)),
    );
  });

  it('never needs more memory than Ollama may use, and neither do kept prompts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 256 }), fc.constantFrom(2, 4, 16), (memory, cpus) => {
        const server = sold(memory, cpus);
        const chosen = localModels({ models }, { models: undefined }, server);
        const length = contextOf(chosen.models, server);
        const needed = chosen.models.reduce((sum, each) => sum + memoryFor(each, length), 0);
        const cache = promptCacheOf(chosen.models, server);
        expect(needed + cache).toBeLessThanOrEqual(limitsOf(server).engine.memory);
      }),
    );
  });
});
