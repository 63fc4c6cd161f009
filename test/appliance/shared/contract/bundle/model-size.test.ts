import { describe, expect, it } from 'vitest';
import { modelSize } from '#contract/bundle/model-files.ts';

describe('the size of a model, estimated from its name', () => {
  it.each([
    ['qwen3:8b', 5.2],
    ['qwen3:0.6b', 0.4],
    ['llama3.2:1b-instruct-q4_K_M', 0.65],
    ['hf.co/someone/Some-Model-7B-GGUF:Q4_K_M', 4.55],
    ['smollm:135m', 0.09],
    ['mixtral:8x7b', 36.4],
    ['deepseek-r1:70b', 45.5],
  ])('%s takes about %d GB', (name, gigabytes) => {
    expect(modelSize({ name, size: null }) / 1e9).toBeCloseTo(gigabytes, 1);
  });

  it('returns the size of a model in the release, if there is one', () => {
    expect(modelSize({ name: 'qwen3:8b', size: 5_225_388_164 })).toBe(5_225_388_164);
    expect(modelSize({ name: 'empty:8b', size: 0 })).toBe(0);
  });

  it.each(['mistral', 'phi4:latest', 'codellama:code', 'gemma3:v2beta'])(
    'estimates a typical size if %s has no size',
    (name) => {
      expect(modelSize({ name, size: null })).toBe(4.7e9);
    },
  );
});
