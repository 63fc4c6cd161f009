import { describe, expect, it } from 'vitest';
import { likelyChatModels } from '#contract/known-providers.ts';

describe('the chat models in a list', () => {
  it.each([
    ['gpt-5', 'gpt-5-mini', 'o4-mini', 'deepseek-chat', 'deepseek-reasoner', 'qwen-plus'],
    ['Qwen/Qwen3-32B', 'glm-5.3', 'kimi-k3', 'doubao-seed-2-0', 'ernie-5.0', 'grok-5', 'swan-2'],
    ['meta-llama/llama-4-scout', 'google/gemini-3-flash', 'mistral-large-latest', 'llava-next'],
  ])('keep %s, and others of its kind', (...names) => {
    expect(likelyChatModels([...names, 'text-embedding-3-large'])).toEqual(names);
  });

  it.each([
    ['text-embedding-v4', 'BAAI/bge-m3', 'netease-youdao/bce-embedding-base_v1', 'gte-rerank-v2'],
    [
      'whisper-1',
      'gpt-4o-mini-tts',
      'cosyvoice-v3',
      'FunAudioLLM/SenseVoiceSmall',
      'paraformer-v2',
    ],
    ['dall-e-3', 'gpt-image-1', 'black-forest-labs/FLUX.1-dev', 'Kwai-Kolors/Kolors', 'cogview-4'],
    ['sora-2', 'veo-3', 'Wan-AI/Wan2.2-T2V-A14B', 'wanx2.1-t2i-turbo', 'doubao-seedream-4-0'],
    [
      'omni-moderation-latest',
      'davinci-002',
      'babbage-002',
      'mistral-ocr-latest',
      'qwen3-asr-flash',
    ],
  ])('leave out %s, and others of its kind', (...names) => {
    expect(likelyChatModels(['gpt-5', ...names])).toEqual(['gpt-5']);
  });
});
