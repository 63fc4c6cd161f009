import { describe, expect, it } from 'vitest';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import {
  describeHostedOnly,
  describeModelChoice,
  localModels,
} from '#contract/sizes/local-models.ts';
import { setLanguage } from '#contract/text/language.ts';

const model = (name: string, size: number, role: ReleaseModel['role'] = 'chat'): ReleaseModel => ({
  ...{ name, role, size, manifest: null },
});

/** The models of the reference appliance. */
const models = [
  model('qwen3:8b', 5.2e9),
  model('qwen3:4b-instruct', 2.5e9),
  model('qwen3:1.7b', 1.36e9),
  model('all-minilm:22m', 46e6, 'embedding'),
  model('qwen3-embedding:0.6b', 640e6, 'embedding'),
];
const GiB = 1024 ** 3;
/** A virtual server has a little less memory than advertised. */
const sold = (gigabytes: number, cpus = 4) => ({ memory: gigabytes * GiB * 0.96, cpus });
const chosen = (server: { memory: number; cpus: number }, wanted?: string[]) =>
  localModels({ models }, { models: wanted }, server);
const namesOf = (list: readonly ReleaseModel[]) => list.map(({ name }) => name);

describe('the models of a server', () => {
  it.each([
    [16, 4, 'qwen3:8b', 'qwen3-embedding:0.6b'],
    [12, 4, 'qwen3:8b', 'qwen3-embedding:0.6b'],
    [8, 4, 'qwen3:4b-instruct', 'qwen3-embedding:0.6b'],
    [8, 2, 'qwen3:4b-instruct', 'all-minilm:22m'],
    [6, 4, 'qwen3:4b-instruct', 'all-minilm:22m'],
    [4, 2, 'qwen3:1.7b', 'all-minilm:22m'],
  ])('chooses, with %i GB and %i processors, %s and %s', (memory, cpus, chat, embedding) => {
    expect(namesOf(chosen(sold(memory, cpus)).models)).toEqual([chat, embedding]);
  });

  it('include the small embedding model on few processors, even with much memory', () => {
    expect(chosen(sold(64, 2)).embedding?.name).toBe('all-minilm:22m');
  });

  it('include the multilingual embedding model for a site in Chinese, if it fits', () => {
    const embedding = (memory: number) =>
      localModels({ models }, { models: undefined, language: 'zh' }, sold(memory, 2)).embedding;
    expect(embedding(8)?.name).toBe('qwen3-embedding:0.6b');
    expect(embedding(4)?.name).toBe('all-minilm:22m');
  });

  it('chooses no model too large for a usual conversation, unless nothing else fits', () => {
    const heavy = model('heavy:2b', 1.8e9);
    const fits = (list: ReleaseModel[]) =>
      localModels({ models: list }, { models: undefined }, sold(4)).chat?.name;
    expect(fits([heavy, model('light:1b', 0.8e9)])).toBe('light:1b');
    expect(fits([heavy])).toBe('heavy:2b');
  });

  it('chooses hosted models with 2 GB, plus an embedding model', () => {
    const found = chosen(sold(2));
    expect(namesOf(found.models)).toEqual(['all-minilm:22m']);
    expect(describeHostedOnly(found)).toBe(
      'hosted models only: no chat model of the release fits this server',
    );
    setLanguage('zh');
    expect(describeHostedOnly(found)).toBe('只有云端模型：内存放不下此版本的任何聊天模型');
    setLanguage('en');
  });

  it('chooses the models of the site, including its embedding model', () => {
    const found = chosen(sold(16), ['QWEN3:1.7b', 'library/qwen3:8b', 'qwen3-embedding:0.6b']);
    expect(namesOf(found.models)).toEqual(['qwen3:8b', 'qwen3:1.7b', 'qwen3-embedding:0.6b']);
    expect(found.embedding?.name).toBe('qwen3-embedding:0.6b');
  });

  it('chooses hosted models if the site names none', () => {
    const found = chosen(sold(16), []);
    expect(found).toMatchObject({ chat: undefined, hostedOnly: 'not-wanted' });
    expect(namesOf(found.models)).toEqual(['qwen3-embedding:0.6b']);
  });

  it('chooses the smallest model that fits if all are slow on few CPUs', () => {
    const large = [model('a:8b', 5.2e9), model('b:7b', 4.7e9)];
    expect(localModels({ models: large }, { models: undefined }, sold(16, 2)).chat?.name).toBe(
      'b:7b',
    );
  });

  it('chooses no models if the release has none', () => {
    const found = localModels({ models: [] }, { models: undefined }, sold(8));
    expect(found).toEqual({
      ...{ models: [], chat: undefined, embedding: undefined },
      hostedOnly: 'not-in-release',
    });
  });

  it('lists the models with their memory and the context of a conversation', () => {
    expect(describeModelChoice(chosen(sold(4)), sold(4))).toBe(
      [
        'Models of this server, with a context of 8192 tokens:',
        '    qwen3:1.7b      about 2.5 GB of memory',
        '    all-minilm:22m  about 146 MB of memory',
      ].join('\n'),
    );
  });

  it('lists hosted models without a context', () => {
    const text = describeModelChoice(chosen(sold(2)), sold(2));
    expect(text).toMatch(/^Models of this server:\n {4}hosted models only/);
  });
});
