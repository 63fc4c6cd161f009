import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areDistinctModels,
  modelPattern,
  parseModelName,
  shortModelName,
} from '#contract/bundle/model-name.ts';

const short = (text: string) => {
  const name = parseModelName(text);
  return name && shortModelName(name);
};

describe('the name of a model', () => {
  it('completes the name of a model with the defaults', () => {
    expect(parseModelName('qwen3:8b')).toEqual({
      host: 'registry.ollama.ai',
      namespace: 'library',
      model: 'qwen3',
      tag: '8b',
    });
    expect(parseModelName('hf.co/Qwen/Qwen3-0.6B-GGUF:Q8_0')).toEqual({
      host: 'hf.co',
      namespace: 'Qwen',
      model: 'Qwen3-0.6B-GGUF',
      tag: 'Q8_0',
    });
  });

  it.each([
    ['qwen3:8b', 'qwen3:8b'],
    ['me/mine:1b', 'me/mine:1b'],
    ['library/qwen3:8b', 'qwen3:8b'],
    ['registry.ollama.ai/library/qwen3:8b', 'qwen3:8b'],
    ['registry.ollama.ai/me/mine:1b', 'me/mine:1b'],
    ['mirror.example:5000/library/qwen3:8b', 'mirror.example:5000/library/qwen3:8b'],
  ])('%s is shown as %s', (text, shown) => expect(short(text)).toBe(shown));

  it.each([
    ['no tag', 'qwen3'],
    ['an empty tag', 'qwen3:'],
    ['two tags', 'qwen3:8b:q4'],
    ['an option', '--help:8b'],
    ['a folder above', '../qwen3:8b'],
    ['a folder above as a tag', 'qwen3:..'],
    ['a dot as a namespace', './qwen3:8b'],
    ['a namespace with a dot', 'host/name.space/qwen3:8b'],
    ['four parts', 'a/b/c/qwen3:8b'],
    ['a scheme', 'https://hf.co/me/mine:1b'],
    ['a space', 'qwen3:8 b'],
    ['a line break', 'qwen3:8b\n'],
    ['a non-ASCII letter', 'qwеn3:8b'],
    ['81 characters', `${'x'.repeat(81)}:8b`],
    ['a port of six digits', 'host:123456/me/mine:1b'],
  ])('rejects the name of a model with %s', (_, text) =>
    expect(parseModelName(text)).toBeUndefined(),
  );

  it('splits the name of a model into plain file names', () => {
    fc.assert(
      fc.property(fc.stringMatching(modelPattern), (text) => {
        const parts = Object.values(parseModelName(text) ?? {});
        expect(parts).toHaveLength(4);
        for (const part of parts) expect(part).toMatch(/^(?!\.{1,2}$)[A-Za-z0-9_.:-]+$/);
      }),
    );
  });

  it('shortens the name of a model to an equivalent form', () => {
    fc.assert(
      fc.property(fc.stringMatching(modelPattern), (text) => {
        const name = parseModelName(text);
        expect(name).toBeDefined();
        expect(parseModelName(short(text) ?? '')).toEqual(name);
      }),
    );
  });
});

describe('a list of models', () => {
  it.each([
    ['the same text', ['qwen3:8b', 'qwen3:8b']],
    ['other capitals', ['qwen3:8b', 'Qwen3:8B']],
    ['the name in full', ['qwen3:8b', 'registry.ollama.ai/library/qwen3:8b']],
  ])('finds a model twice in a list with %s', (_, names) =>
    expect(areDistinctModels(names)).toBe(false),
  );

  it('accepts models as distinct if host, namespace or tag differ', () => {
    const names = ['qwen3:8b', 'qwen3:4b', 'me/qwen3:8b', 'hf.co/library/qwen3:8b'];
    expect(areDistinctModels(names)).toBe(true);
  });
});
