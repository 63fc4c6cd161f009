import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../appliance/relay/refusal.ts';
import { chat, count } from './counted.ts';

/** Returns what the relay adds when some tokens are held for the answer. */
function added(body: string | object, endpoint = chat, held = 100, refused: string[] = []) {
  const counted = count(body, endpoint, true, refused);
  if (isRefusal(counted)) throw new Error('it was refused');
  return counted.payload(counted.prompt + held)?.added;
}

describe('what the relay adds to a request', () => {
  it('asks for the usage of a stream', () => {
    const path = 'stream_options';
    expect(added({ stream: true, max_tokens: 1 })).toEqual([
      { path, value: { include_usage: true } },
    ]);
    const options = { include_obfuscation: false };
    expect(added({ stream: true, stream_options: options, max_tokens: 1 })).toEqual([
      { path, value: { ...options, include_usage: true } },
    ]);
  });

  it.each([
    [{ stream: false }, chat, []],
    [{ stream: 'true' }, chat, []],
    [{ stream: true, stream_options: { include_usage: true } }, chat, []],
    [{ stream: true }, '/openai/v1/responses', []],
    [{ stream: true }, '/anthropic/v1/messages', []],
    [{ stream: true }, chat, ['stream_options']],
  ])('does not ask for usage with %j at %s', (body, endpoint, refused) => {
    const limited = { ...body, max_tokens: 1, max_output_tokens: 1 };
    expect(added(limited, endpoint, 1, refused)).toEqual([]);
    expect(count(limited, endpoint, true, refused)).toMatchObject({ hidesUsage: false });
  });

  it.each([
    ['/openai/v1/completions', {}, 'max_tokens'],
    ['/openai/v1/responses', {}, 'max_output_tokens'],
    ['/anthropic/v1/messages', {}, 'max_tokens'],
    ['/local/v1/chat/completions', { max_completion_tokens: 5 }, 'max_tokens'],
    ['/local/api/chat', {}, 'options.num_predict'],
    ['/local/api/chat', { options: { num_predict: -1 } }, 'options.num_predict'],
    ['/gemini/v1/models/m:generateContent', {}, 'generationConfig.maxOutputTokens'],
    [
      '/gemini/v1/models/m:generateContent',
      { generation_config: { top_k: 1 } },
      'generation_config.max_output_tokens',
    ],
    [
      '/gemini/v1/models/m:generateContent',
      { generationConfig: { max_output_tokens: 0 } },
      'generationConfig.max_output_tokens',
    ],
  ])('limits for %s the answer of %j by %s', (endpoint, body, path) => {
    expect(added(body, endpoint)).toEqual([{ path, value: 100 }]);
  });

  it.each([
    [{}, [], 'max_tokens', 100],
    [{ max_completion_tokens: 20 }, [], 'max_tokens', 20],
    [{}, ['max_tokens'], 'max_completion_tokens', 100],
    [{ max_tokens: null }, [], 'max_tokens', 100],
    [{ n: 4 }, [], 'max_tokens', 25],
  ])('limits a chat of %j when the provider has refused %j', (body, refused, path, value) => {
    expect(added(body, chat, 100, refused)).toMatchObject([{ path, value }]);
  });

  it.each([
    [{ max_tokens: 5 }, chat, []],
    [{ max_completion_tokens: 5 }, chat, ['max_tokens']],
    [{ generation_config: { max_output_tokens: 5 } }, '/gemini/v1/models/m:generateContent', []],
    [{ input: 'x' }, '/openai/v1/embeddings', []],
    [{ inputs: 'x' }, '/hub/models/m', []],
    [{ prompt: 'x' }, '/openai/v1/images/generations', []],
  ])('adds no limit to %j at %s', (body, endpoint, refused) => {
    expect(added(body, endpoint, 100, refused)).toEqual([]);
  });

  it('adds nothing for a key without a budget of tokens', () => {
    const counted = count({ stream: true }, chat, false);
    if (isRefusal(counted)) throw new Error('it was refused');
    expect(counted.payload(9000)?.added).toEqual([]);
  });
});
