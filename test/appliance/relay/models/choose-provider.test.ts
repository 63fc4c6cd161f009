import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../../appliance/relay/destination.ts';
import { ollama } from '../../../../appliance/relay/formats/ollama.ts';
import { openai } from '../../../../appliance/relay/formats/openai.ts';
import { chooseProvider } from '../../../../appliance/relay/models/choose-provider.ts';
import { ModelLists } from '../../../../appliance/relay/models/model-lists.ts';

type Lists = Readonly<Record<string, readonly string[] | undefined>>;

/** Returns the name of the provider of a model. @param lists by provider; undefined for one that fails */
async function choose(model: string, lists: Lists): Promise<string> {
  const models = new ModelLists(async (url) => {
    const names = lists[new URL(url).hostname];
    if (!names) throw new Error('no list');
    return Response.json({ data: names.map((id) => ({ id })) });
  });
  const candidates = Object.keys(lists).map((name): Candidate => {
    const format = name === 'local' ? ollama : openai;
    const provider = { name, format, baseUrl: `http://${name}`, key: 'k', keyless: false };
    return { provider, endpoint: { path: /^/, method: 'GET' }, rest: '/x' };
  });
  const [first, ...more] = candidates;
  if (!first) throw new Error('there is no provider');
  const env = { models, defaultProvider: 'hosted' };
  return (await chooseProvider([first, ...more], model, env)).provider.name;
}

const local = ['nomic-embed-text:latest', 'qwen3:8b', 'me/mine:latest'];

describe('the provider of a model beside local ones', () => {
  it.each([
    ['nomic-embed-text', 'local'],
    ['Nomic-Embed-Text:latest', 'local'],
    ['library/nomic-embed-text', 'local'],
    ['registry.ollama.ai/library/qwen3:8b', 'local'],
    ['me/mine', 'local'],
    // Not listed: another tag, or a model that is being pulled.
    ['qwen3', 'local'],
    ['qwen3:32b', 'local'],
    ['mistral:7b', 'local'],
    ['gpt-5', 'hosted'],
    ['gpt-unlisted', 'hosted'],
    ['org/model:free', 'hosted'],
    ['mine', 'hosted'],
  ])('finds for %s the provider %s', async (model, name) => {
    expect(await choose(model, { hosted: ['gpt-5', 'org/model:free'], local })).toBe(name);
  });

  it('keeps a model on the server that a hosted provider lists too', async () => {
    expect(await choose('qwen3:8b', { hosted: ['qwen3:8b'], local })).toBe('local');
  });

  it.each([
    ['gpt-5', 'hosted'],
    ['nomic-embed-text', 'local'],
  ])('finds %s at %s while the local list fails', async (model, name) => {
    expect(await choose(model, { hosted: ['gpt-5'], local: undefined })).toBe(name);
  });

  it('finds a model of another engine by a name without its tag', async () => {
    expect(await choose('bge-m3', { hosted: ['gpt-5'], gpu: ['bge-m3:latest'] })).toBe('gpu');
  });
});
