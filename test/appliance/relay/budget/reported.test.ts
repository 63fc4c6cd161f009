import { describe, expect, it } from 'vitest';
import { Reported } from '../../../../appliance/relay/budget/reported.ts';

function reported(...values: unknown[]): { tokens: number; isValid: boolean } {
  const all = new Reported();
  for (const value of values) all.take(value);
  return { tokens: all.tokens, isValid: all.isValid };
}

describe('the usage that a provider reports', () => {
  it.each([
    [
      'chat completions',
      { usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } },
      12,
    ],
    ['embeddings', { usage: { prompt_tokens: 5, total_tokens: 5 } }, 5],
    ['responses', { usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 } }, 12],
    ['events of responses', { response: { usage: { input_tokens: 5, output_tokens: 7 } } }, 12],
    [
      'a total that leaves out a part',
      { usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 3 } },
      12,
    ],
    ['a total alone', { usage: { total_tokens: 9 } }, 9],
    ['Groq', { x_groq: { usage: { total_tokens: 9 } } }, 9],
    [
      'Anthropic, with cached input',
      {
        usage: {
          input_tokens: 5,
          cache_read_input_tokens: 90,
          cache_creation_input_tokens: 3,
          output_tokens: 2,
        },
      },
      100,
    ],
    [
      'Gemini, with thoughts',
      {
        usageMetadata: {
          promptTokenCount: 5,
          cachedContentTokenCount: 4,
          candidatesTokenCount: 2,
          thoughtsTokenCount: 3,
          totalTokenCount: 10,
        },
      },
      10,
    ],
    ['Ollama', { done: true, prompt_eval_count: 5, eval_count: 7 }, 12],
  ])('sums the tokens of %s', (_, value, tokens) => {
    expect(reported(value)).toEqual({ tokens, isValid: true });
  });

  it('merges the events of Anthropic, and uses the last count', () => {
    const start = {
      type: 'message_start',
      message: { usage: { input_tokens: 50, output_tokens: 1 } },
    };
    const delta = (output_tokens: number) => ({ type: 'message_delta', usage: { output_tokens } });
    expect(reported(start, delta(10), delta(25))).toEqual({ tokens: 75, isValid: true });
  });

  it('uses the last of several counts', () => {
    const [one, two] = [4, 9].map((total_tokens) => ({ usage: { total_tokens } }));
    expect(reported(one, two, { usage: null })).toEqual({ tokens: 9, isValid: true });
  });

  it.each([
    [{}],
    ['text'],
    [null],
    [{ usage: {} }],
    [{ usage: { total_tokens: 0, prompt_tokens: 0 } }],
    [{ usage: { total_tokens: -5 } }],
    [{ usage: { total_tokens: Number.NaN } }],
    [{ usage: { total_tokens: 1.5 } }],
    [{ usage: { total_tokens: 1e300 } }],
    [{ usage: { total_tokens: '12' } }],
    [{ usage: { prompt_tokens: 5, completion_tokens: -1 } }],
    [{ usage: { prompt_tokens: 2 ** 53 - 1, completion_tokens: 2 ** 53 - 1 } }],
  ])('does not accept %j', (value) => {
    expect(reported(value).isValid).toBe(false);
  });

  it('keeps an earlier count when the last one is invalid', () => {
    const good = { usage: { total_tokens: 8 } };
    expect(reported(good, { usage: { total_tokens: -1 } })).toEqual({ tokens: 8, isValid: false });
  });
});
