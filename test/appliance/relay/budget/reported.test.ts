import { describe, expect, it } from 'vitest';
import { Reported } from '../../../../appliance/relay/budget/reported.ts';

function reported(...values: unknown[]): { tokens: number; isValid: boolean } {
  const all = new Reported();
  for (const value of values) all.take(value);
  return { tokens: all.tokens, isValid: all.isValid };
}

/** Returns the usage of OpenAI's chat with a total. */
function chat(prompt_tokens: number, completion_tokens: number, more: object = {}) {
  const total_tokens = prompt_tokens + completion_tokens;
  return { usage: { prompt_tokens, completion_tokens, total_tokens, ...more } };
}

/** Shapes that providers and gateways document or that their users have recorded, with their totals. */
const shapes: ReadonlyArray<readonly [string, readonly unknown[], number]> = [
  [
    'OpenAI, chat',
    [chat(19, 10, { completion_tokens_details: { reasoning_tokens: 8, audio_tokens: 0 } })],
    29,
  ],
  [
    'OpenAI, responses',
    [
      {
        usage: {
          ...{ input_tokens: 36, input_tokens_details: { cached_tokens: 30 } },
          ...{ output_tokens: 87, output_tokens_details: { reasoning_tokens: 64 } },
          total_tokens: 123,
        },
      },
    ],
    123,
  ],
  [
    'OpenAI, events of responses',
    [
      { type: 'response.created', response: { usage: null } },
      { response: { usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 } } },
    ],
    12,
  ],
  ['OpenAI, embeddings', [{ usage: { prompt_tokens: 5, total_tokens: 5 } }], 5],
  [
    'OpenAI, images',
    [
      {
        usage: {
          ...{ total_tokens: 100, input_tokens: 50, output_tokens: 50 },
          input_tokens_details: { text_tokens: 10, image_tokens: 40 },
        },
      },
    ],
    100,
  ],
  [
    'Anthropic, with cached input',
    [
      {
        usage: {
          ...{ input_tokens: 5, cache_read_input_tokens: 90, cache_creation_input_tokens: 3 },
          ...{ output_tokens: 2, cache_creation: { ephemeral_5m_input_tokens: 3 } },
        },
      },
    ],
    100,
  ],
  [
    'Anthropic, events',
    [
      { type: 'message_start', message: { usage: { input_tokens: 50, output_tokens: 1 } } },
      { type: 'message_delta', usage: { output_tokens: 10 } },
      { type: 'message_delta', usage: { output_tokens: 25 } },
    ],
    75,
  ],
  [
    'Gemini, with cache, thoughts and a tool',
    [
      {
        usageMetadata: {
          ...{ promptTokenCount: 5, cachedContentTokenCount: 4, toolUsePromptTokenCount: 6 },
          ...{ candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 16 },
        },
      },
    ],
    16,
  ],
  [
    'Gemini by its chat, whose total has the thoughts',
    [{ usage: { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 } }],
    623,
  ],
  ['Ollama', [{ done: true, prompt_eval_count: 5, eval_count: 7, eval_duration: 9e9 }], 12],
  [
    'Groq',
    [{ x_groq: { id: 'r', usage: chat(4, 5, { queue_time: 0.1, total_time: 0.2 }).usage } }],
    9,
  ],
  [
    'xAI, whose reasoning is no part of the completion',
    [
      {
        usage: {
          ...{ prompt_tokens: 10120, completion_tokens: 1499, total_tokens: 14428 },
          prompt_tokens_details: { cached_tokens: 128 },
          completion_tokens_details: { reasoning_tokens: 2809 },
        },
      },
    ],
    14428,
  ],
  ['DeepSeek', [chat(19, 30, { prompt_cache_hit_tokens: 10, prompt_cache_miss_tokens: 9 })], 49],
  ['Moonshot, whole', [chat(10, 5, { cached_tokens: 8 })], 15],
  [
    'Moonshot, a stream',
    [
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: chat(10, 5).usage }] },
      { choices: [], usage: null },
    ],
    15,
  ],
  [
    'Moonshot, a stream that reports twice',
    [{ choices: [{ index: 0, usage: chat(10, 5).usage }] }, chat(10, 5)],
    15,
  ],
  [
    'Moonshot, two choices',
    [0, 1].map((index) => ({ choices: [{ index, usage: chat(10, 5).usage }] })),
    30,
  ],
  ['Qwen (DashScope)', [chat(22, 9, { prompt_tokens_details: { cached_tokens: 0 } })], 31],
  [
    'a gateway that reports in two conventions',
    [chat(22, 9, { input_tokens: 22, output_tokens: 9 })],
    31,
  ],
  ['Mistral', [chat(14, 6, { prompt_audio_seconds: null, num_cached_tokens: 2 })], 20],
  [
    'Perplexity',
    [chat(8, 400, { citation_tokens: 900, num_search_queries: 1, search_context_size: 'low' })],
    408,
  ],
  ['OpenRouter', [chat(13559, 122, { cost: 0.017558, is_byok: false })], 13681],
  [
    'LiteLLM before Claude: the prompt has the cache',
    [
      chat(12000, 100, {
        ...{ cache_creation_input_tokens: 0, cache_read_input_tokens: 11900 },
        prompt_tokens_details: { cached_tokens: 11900 },
      }),
    ],
    12100,
  ],
  ['vLLM, in every event', [chat(7, 1), chat(7, 2), chat(7, 9)], 16],
  [
    'llama.cpp',
    [{ ...chat(11, 4), timings: { prompt_n: 11, predicted_n: 4, predicted_ms: 90.5 } }],
    15,
  ],
  ['Zhipu', [chat(6, 12, { completion_tokens_details: { reasoning_tokens: 5 } })], 18],
  ['a total alone', [{ usage: { total_tokens: 9 } }], 9],
  ['a total that leaves out a part', [{ usage: { ...chat(5, 7).usage, total_tokens: 3 } }], 12],
];

describe('the usage that a provider reports', () => {
  it.each(shapes)('contains the total of %s', (_, values, tokens) => {
    expect(reported(...values)).toEqual({ tokens, isValid: true });
  });

  it('contains the prompt at the start of a stream, with its cached part', () => {
    const start = new Reported();
    const usage = { input_tokens: 5, cache_read_input_tokens: 90, output_tokens: 1 };
    start.take({ type: 'message_start', message: { usage } });
    expect(start.prompt).toBe(95);
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
    [{ choices: [null, 'x', { usage: 'x' }, { usage: {} }] }],
    [{ choices: [{ usage: { total_tokens: -1 } }] }],
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
