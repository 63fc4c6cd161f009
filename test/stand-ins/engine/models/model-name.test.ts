import { describe, expect, it } from 'vitest';
import { parseModelName, shortest } from './model-name.ts';

describe('a model name', () => {
  it.each([
    ['llama3.2', 'llama3.2:latest'],
    ['qwen3:8b', 'qwen3:8b'],
    ['me/mine:1', 'me/mine:1'],
    ['registry.ollama.ai/library/qwen3:8b', 'qwen3:8b'],
    ['mirror.example:5000/library/qwen3:8b', 'mirror.example:5000/library/qwen3:8b'],
    ['https://mirror.example/library/qwen3', 'mirror.example/library/qwen3:latest'],
  ])('%s is shown as %s', (text, shown) => {
    const name = parseModelName(text);
    expect(name && shortest(name)).toBe(shown);
  });

  it.each(['', 'a/b/c/d', '../x', 'a:', 'a b', `${'x'.repeat(81)}`, 'host/name.space/x'])(
    'rejects %j',
    (text) => expect(parseModelName(text)).toBeUndefined(),
  );
});
