import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { json } from '../provider.ts';
import { RelayRig } from '../rig.ts';
import {
  closeStands,
  type Stands,
  settingsFor,
  standKeys,
  startStands,
} from '../strict/premises.ts';

let stands: Stands;
let rig: RelayRig;
beforeAll(async () => {
  stands = await startStands();
  const key = (name: string, more: object = {}) => ({ name, sha256: sha256Hex(name), ...more });
  const keys = [
    key('limited', { models: ['gemini-a*', 'qwen3:8b'] }),
    key('all'),
    key('chat', { chat_models: true }),
  ];
  rig = await RelayRig.start(
    { ...settingsFor(stands), keys },
    { provider: stands.openai, keys: standKeys },
  );
});
afterAll(async () => {
  await rig.close();
  await closeStands(stands);
});

const gemini = {
  models: [
    { name: 'models/gemini-a1', displayName: 'A 1', inputTokenLimit: 1000 },
    { name: 'models/gemini-b' },
  ],
  nextPageToken: 'x',
};
const tags = {
  models: [
    { name: 'qwen3:8b', size: 1 },
    { name: 'secret:latest', size: 2 },
  ],
};
const running = { models: [{ name: 'secret:latest', size_vram: 2 }] };

function list(path: string, key: string) {
  return rig.ask(path, { headers: { authorization: `Bearer ${key}` } });
}

describe("a provider's own list of models", () => {
  it.each([
    ['gemini', '/gemini/v1beta/models?pageSize=50', gemini, [gemini.models[0]]],
    ['local', '/local/api/tags', tags, [tags.models[0]]],
    ['local', '/local/api/ps', running, []],
  ] as const)(
    'contains only the models of a limited key: %s %s',
    async (name, path, whole, models) => {
      stands[name].answerNext(json(200, whole));
      const answer = await list(path, 'limited');
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ ...whole, models });
      expect(rig.log.at(-1)).toMatchObject({ key: 'limited', status: 200, ending: 'complete' });

      stands[name].answerNext(json(200, whole));
      expect(await (await list(path, 'all')).json()).toEqual(whole);
    },
  );

  it('does not pass on a list that a limited key cannot be checked against', async () => {
    for (const unknown of [{ data: [{ id: 'secret' }] }, [], { models: 'secret' }]) {
      stands.gemini.answerNext(json(200, unknown));
      const answer = await list('/gemini/v1beta/models', 'limited');
      expect(answer.status).toBe(502);
      expect(await answer.text()).not.toContain('secret');
    }
  });

  it('passes on the error of a provider, and the version of Ollama', async () => {
    stands.gemini.answerNext(json(500, { error: { message: 'out of order' } }));
    const answer = await list('/gemini/v1beta/models', 'limited');
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining('out of order'),
    ]);
    expect((await list('/local/api/version', 'limited')).status).toBe(200);
  });

  it.each([
    ["OpenAI's form", (models: object[]) => ({ object: 'list', data: models, has_more: false })],
    ['an array', (models: object[]) => models],
  ])('leaves out embeddings, images and speech for the chat UI, in %s', async (_form, whole) => {
    const [chat, ...others] = [
      { id: 'gpt-5', name: 'GPT-5', created: 1 },
      ...[
        { id: 'text-embedding-3' },
        { id: 'BAAI/bge-m3' },
        { id: 'gpt-image-1' },
        { id: 'tts-1' },
      ],
    ];
    stands.openai.answerNext(json(200, whole([...others, chat])));
    expect(await (await list('/openai/v1/models', 'chat')).json()).toEqual(whole([chat]));
    stands.openai.answerNext(json(200, whole([...others, chat])));
    expect(await (await list('/openai/v1/models', 'all')).json()).toEqual(whole([...others, chat]));
  });

  it('lists all models of a provider that seems to have no chat model', async () => {
    const data = [{ id: 'my-embedder' }];
    stands.openai.answerNext(json(200, { data }));
    expect(await (await list('/openai/v1/models', 'chat')).json()).toEqual({ data });
  });
});
