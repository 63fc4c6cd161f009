import { describe, expect, it } from 'vitest';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { localModels } from '#contract/sizes/local-models.ts';
import { describeFit, fitOf, problemsOfContext } from '#contract/sizes/model-fit.ts';
import { fitTogether, memoryFor } from '#contract/sizes/model-memory.ts';

const model = (name: string, size: number, role: ReleaseModel['role'] = 'chat'): ReleaseModel => ({
  ...{ name, role, size, manifest: null },
});
const [eight, four, small] = [
  model('qwen3:8b', 5.2e9),
  model('qwen3:4b-instruct', 2.5e9),
  model('qwen3:1.7b', 1.36e9),
];
const embedding = model('all-minilm:22m', 46e6, 'embedding');
const models = [eight, four, small, embedding];
const only = (chosen: readonly ReleaseModel[]) => ({ models: chosen, hostedOnly: undefined });
const GiB = 1024 ** 3;
const sold = (gigabytes: number, cpus = 4) => ({ memory: gigabytes * GiB * 0.96, cpus });
const agent = 65_536;
/** Bytes of the mask of a batch, per token of the context. */
const mask = 2 * 512;

describe('the memory of a model with a known shape', () => {
  it('comes from the header of its file before the published shape and the size', () => {
    const shape = { values: 1000, context: 100_000 };
    const mine = { ...model('mine:8b', 5.2e9), shape };
    expect(memoryFor(mine, 8192) - memoryFor(mine, 4096)).toBe(4096 * (1000 * 2 + mask));
    expect(memoryFor({ ...eight, shape }, 1000)).toBeLessThan(memoryFor(eight, 1000));
  });

  it('grows only up to a window, and up to the length of the training', () => {
    const shape = { values: 10, window: { values: 1000, tokens: 1536 }, context: 40_960 };
    const windowed = { ...model('mine:4b', 2e9), shape };
    expect(memoryFor(windowed, 40_960) - memoryFor(windowed, 2048)).toBe(
      (40_960 - 2048) * (20 + mask),
    );
    expect(memoryFor(windowed, 131_072)).toBe(memoryFor(windowed, 40_960));
  });

  it('needs 34 bytes for 32 numbers with q8_0', () => {
    const other = memoryFor(four, 0) + agent * mask;
    const cache = memoryFor(four, agent) - other;
    const quantized = memoryFor(four, agent, 1, { context_cache: 'q8_0' }) - other;
    expect(quantized / cache).toBeCloseTo(34 / 64, 9);
  });
});

describe('a site with a context', () => {
  const chosen = (gigabytes: number, site: object) =>
    localModels({ models }, { models: undefined, ...site }, sold(gigabytes)).chat?.name;

  it('gets the largest model that has the context, and was trained for it', () => {
    expect(chosen(16, {})).toBe('qwen3:8b');
    expect(chosen(32, { context: agent })).toBe('qwen3:4b-instruct');
    expect(chosen(12, { context: agent, context_cache: 'q8_0' })).toBe('qwen3:4b-instruct');
  });

  it('refuses it with both numbers, and names the format that fits', () => {
    const site = { context: agent };
    const loaded = [four, embedding];
    expect(fitTogether(loaded, sold(12), agent)).toBe(false);
    expect(problemsOfContext(only(loaded), sold(12), site)).toEqual([
      {
        message:
          'not enough memory for a context of 65536 tokens with qwen3:4b-instruct: it needs about 12.6 GB, and 10.3 GB of 12.4 GB is available to models',
        hint: expect.stringContaining('Set context_cache to q8_0: it needs 8.1 GB'),
      },
    ]);
    expect(problemsOfContext(only(loaded), sold(12), { ...site, context_cache: 'q8_0' })).toEqual(
      [],
    );
  });

  it('names the largest context that fits, if q8_0 does not fit either', () => {
    const [problem] = problemsOfContext(only([four, embedding]), sold(6), { context: agent });
    expect(problem?.hint).toContain('Set context to 8192.');
  });

  it('refuses a context beyond the length for which the model was trained', () => {
    expect(problemsOfContext(only([eight, embedding]), sold(64), { context: agent })).toMatchObject(
      [
        {
          message: 'context 65536 is larger than the 40960 tokens for which qwen3:8b was trained',
          hint: expect.stringContaining('landfall models fit --context 65536'),
        },
      ],
    );
  });

  it('keeps a model that was trained for less than the default context', () => {
    const old = { ...model('old:1b', 1e9), shape: { values: 1000, context: 2048 } };
    expect(localModels({ models: [old] }, { models: undefined }, sold(4)).chat).toBe(old);
  });

  it('refuses a context that no model of the release has on the server', () => {
    const site = { models: undefined, context: agent };
    const found = problemsOfContext(localModels({ models }, site, sold(2)), sold(2), site);
    expect(found).toMatchObject([
      {
        message: expect.stringMatching(/^no chat model .* 65536 tokens on a server with 2\.1 GB/),
        hint: expect.stringContaining('sudo landfall models fit --context 65536'),
      },
    ]);
  });

  it('finds no problem without a context, and without a chat model', () => {
    expect(problemsOfContext(only([eight]), sold(2), {})).toEqual([]);
    expect(problemsOfContext(only([embedding]), sold(2), { context: agent })).toEqual([]);
  });
});

describe('landfall models fit', () => {
  it('says for each model whether it fits, and its largest context', () => {
    const found = fitOf(models, sold(16), 8192);
    expect(found.map(({ name, fits, largest_context }) => [name, fits, largest_context])).toEqual([
      ['qwen3:8b', true, 32_768],
      ['qwen3:4b-instruct', true, 65_536],
      ['qwen3:1.7b', true, 32_768],
      ['all-minilm:22m', true, null],
    ]);
  });

  it('says no for a context beyond the training', () => {
    const fits = Object.fromEntries(
      fitOf(models, sold(64), agent).map(({ name, fits }) => [name, fits]),
    );
    expect(fits).toMatchObject({ 'qwen3:8b': false, 'qwen3:4b-instruct': true });
  });

  it('marks what is estimated by size', () => {
    const table = describeFit(fitOf([model('other:4b', 2.5e9)], sold(16), 8192), sold(16), 8192);
    expect(table).toMatch(/^other:4b +~3\.9 GB +yes +\d+ +\? +10-20$/m);
  });
});
