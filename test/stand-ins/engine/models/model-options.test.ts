import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelOptions, tokenLimit } from './model-options.ts';
import { ModelStore } from './model-store.ts';
import { putTinyModel } from './put-tiny-model.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-options-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function optionsOf(params?: object, request?: object) {
  await putTinyModel(folder, 'tiny:1b', 1, 'llama', params);
  const store = new ModelStore(folder);
  const [model] = await store.list();
  if (!model) throw new Error('the model is in the store');
  return await modelOptions(model, store, request);
}

describe('the options of a generation', () => {
  it('sets no token limit for a generation by default', async () => {
    expect(await optionsOf()).toEqual({ num_predict: -1, temperature: 0.8, seed: -1 });
  });

  it('come from the params layer of the model, which the request overrides', async () => {
    const params = { num_predict: 2048, temperature: 0.6, top_k: 20 };
    expect(await optionsOf(params)).toEqual({ num_predict: 2048, temperature: 0.6, seed: -1 });
    expect(await optionsOf(params, { num_predict: 8, seed: null, stop: ['x'] })).toEqual({
      num_predict: 8,
      temperature: 0.6,
      seed: -1,
    });
  });

  it.each([
    [{ num_predict: '8' }, 'option "num_predict" must be of type integer'],
    [{ temperature: true }, 'option "temperature" must be of type float32'],
  ])('rejects an option of a generation with another type: %j', async (request, text) => {
    await expect(optionsOf({}, request)).rejects.toThrow(text);
  });
});

describe('the token limit', () => {
  it.each([
    [-1, 5120],
    [-2, 5120],
    [100_000, 5120],
    [8, 8],
    [0, -1],
  ])('limits the tokens of num_predict %i with a context of 512 to %i', (numPredict, limit) => {
    expect(tokenLimit(numPredict, 512)).toBe(limit);
  });
});
