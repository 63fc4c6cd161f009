import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { type Answer, json, Provider, providerKey } from '../provider.ts';
import { codeOf, RelayRig, relayKey } from '../rig.ts';
import { answerAsGemini } from '../strict/gemini.ts';
import { answerAsOllama } from '../strict/ollama.ts';

type Settings = NonNullable<Parameters<typeof RelayRig.start>[0]>;

/** The models of a provider, or another response to its list. */
let lists: Record<'one' | 'two', readonly string[] | Answer>;
let rig: RelayRig;
let two: Provider;
let local: Provider;

function answerOf(name: 'one' | 'two'): Answer {
  return (response, asked) => {
    const list = lists[name];
    if (!asked.url.startsWith('/v1/models')) return json(200, { from: name })(response, asked);
    if (typeof list === 'function') return list(response, asked);
    return json(200, { data: list.map((id) => ({ id })) })(response, asked);
  };
}

beforeEach(async () => {
  lists = { one: ['a', 'both'], two: ['b', 'both', 'org/c'] };
  const one = await Provider.start(undefined, undefined, answerOf('one'));
  two = await Provider.start(undefined, undefined, answerOf('two'));
  local = await Provider.start(undefined, undefined, answerAsOllama);
  const settings = {
    providers: { one: { base_url: one.base() }, two: { base_url: two.base() } },
    local: { base_url: local.base(undefined, '') },
    keys: [
      { name: 'me', sha256: sha256Hex(relayKey) },
      { name: 'guest', sha256: sha256Hex('guest'), providers: ['two', 'local'] },
      { name: 'single', sha256: sha256Hex('single'), providers: ['two'] },
      { name: 'small', sha256: sha256Hex('small'), limits: { body_bytes: 20 } },
    ],
  };
  const keys = { ONE_API_KEY: providerKey, TWO_API_KEY: providerKey };
  rig = await RelayRig.start(settings, { provider: one, keys });
});
afterEach(async () => {
  await rig.close();
  await two.close();
  await local.close();
});

/** Sends a request without the name of a provider. */
function post(body: string, key = relayKey, type = 'application/json'): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type };
  return rig.ask('/v1/embeddings', { method: 'POST', headers, body });
}

const nameOf = async (answer: Response) => ((await answer.json()) as { from?: string }).from;

/** Returns how often a provider was asked for its list. */
const listings = ({ asked }: Provider) => asked.filter(({ method }) => method === 'GET').length;

describe('a request to /v1', () => {
  it.each([
    ['the only provider that lists its model', { model: 'b' }, 'two'],
    ['the default provider for a model that several list', { model: 'both' }, 'one'],
    ['the default provider for a model that none lists', { model: 'unknown' }, 'one'],
    ['the default provider without a model', { input: 'b' }, 'one'],
    [
      'the provider of a model after a long prompt',
      { input: 'x'.repeat(200_000), model: 'b' },
      'two',
    ],
  ])('reaches %s', async (_what, body, name) => {
    const text = JSON.stringify(body);
    expect(await nameOf(await post(text))).toBe(name);
    const { asked } = name === 'one' ? rig.provider : two;
    expect(asked.at(-1)?.body.toString()).toBe(text);
    expect(asked.at(-1)?.headers['content-length']).toBe(`${text.length}`);
    expect(rig.log.at(-1)).toMatchObject({ provider: name, endpoint: '/embeddings' });
  });

  it('reaches the default provider unread when it is not JSON', async () => {
    expect(await nameOf(await post('{"model":"b"}', relayKey, 'multipart/form-data'))).toBe('one');
    expect(listings(two)).toBe(0);
  });

  it('reaches Ollama with the name of a local model', async () => {
    const body = JSON.stringify({ model: 'qwen3:8b', messages: [] });
    const headers = { 'content-type': 'application/json' };
    const answer = await rig.ask('/v1/chat/completions', { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ model: 'qwen3:8b' });
    expect(rig.log.at(-1)).toMatchObject({ provider: 'local', endpoint: '/v1/chat/completions' });
  });

  it('reaches the provider that alone serves its endpoint, without a list', async () => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{"messages":[]}' };
    expect((await rig.ask('/v1/messages', init)).status).toBe(200);
    expect(rig.log.at(-1)).toMatchObject({ provider: 'local' });
    expect(listings(two)).toBe(0);
  });

  it('finds the model in a path', async () => {
    await rig.ask('/v1/models/org%2Fc');
    expect(two.asked.at(-1)?.url).toBe('/v1/models/org%2Fc');
  });

  it('reaches only providers of its key', async () => {
    expect(await nameOf(await post('{"model":"a"}', 'guest'))).toBe('two');
    expect(rig.provider.asked).toEqual([]);
    expect(await nameOf(await post('{"model":"a"}', 'single'))).toBe('two');
    expect(listings(two)).toBe(1);
  });

  it('requests each list once, also when many ask at once later', async () => {
    await post('{"model":"b"}');
    await Promise.all(Array.from({ length: 9 }, () => post('{"model":"b"}')));
    expect([listings(rig.provider), listings(two)]).toEqual([1, 1]);
  });

  it.each([
    ['fails', json(500, {})],
    ['is no JSON', (response) => void response.end('<html>')],
    [
      'is cut',
      (response) => void response.writeHead(200, { 'content-length': 99 }).end('{"data":['),
    ],
    ['has names of another kind', json(200, { data: [{ id: 7 }, { id: '' }, {}, null, 'b'] })],
    ['quotes the key', json(200, { data: [{ id: `x-${providerKey}` }] })],
  ] as Array<[string, Answer]>)(
    'reaches its provider when another list %s',
    async (_what, list) => {
      lists.one = list;
      expect(await nameOf(await post('{"model":"b"}'))).toBe('two');
      expect(await nameOf(await post('{"model":"a"}'))).toBe('one');
      expect(await (await rig.ask('/v1/models')).text()).not.toContain(providerKey);
    },
  );

  it('stays within the limit of its key while it is read', async () => {
    const chunks = ['{"input":"', 'x'.repeat(30), '","model":"b"}'].map((text) =>
      Buffer.from(text),
    );
    const headers = { authorization: 'Bearer small', 'content-type': 'application/json' };
    const body = ReadableStream.from(chunks) as unknown as ReadableStream;
    const init = { method: 'POST', headers, body, duplex: 'half' as const };
    const answer = await rig.ask('/v1/embeddings', init);
    expect(await codeOf(answer)).toBe('relay_body_too_large');
    expect(rig.provider.asked).toEqual([]);
  });
});

describe('the list of all models', () => {
  const ownersOf = async (key = relayKey) => {
    const answer = await rig.ask('/v1/models', { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    const { object, data } = (await answer.json()) as { object: string; data: Model[] };
    expect(object).toBe('list');
    return data.map(({ id, owned_by }) => `${owned_by} ${id}`);
  };
  interface Model {
    readonly id: string;
    readonly owned_by: string;
  }

  it('names the provider of each model', async () => {
    expect(await ownersOf()).toEqual([
      ...['one a', 'one both', 'two b', 'two both', 'two org/c', 'local qwen3:8b'],
    ]);
    expect(rig.log.at(-1)).toMatchObject({ status: 200, endpoint: '/models', ending: 'complete' });
  });

  it('names the providers of the key only', async () => {
    expect(await ownersOf('guest')).toEqual(['two b', 'two both', 'two org/c', 'local qwen3:8b']);
    expect(listings(rig.provider)).toBe(0);
  });

  it('returns the list of the provider itself for a key with one provider', async () => {
    const headers = { authorization: 'Bearer single' };
    expect(await (await rig.ask('/v1/models', { headers })).json()).toEqual({
      data: [{ id: 'b' }, { id: 'both' }, { id: 'org/c' }],
    });
  });

  it('leaves out a provider that fails, and fails when all fail', async () => {
    lists.two = json(401, {});
    expect(await ownersOf('guest')).toEqual(['local qwen3:8b']);
    await again({ one: { base_url: 'http://127.0.0.1:9/v1' }, two: { base_url: two.base() } });
    expect(await codeOf(await rig.ask('/v1/models'))).toBe('provider_unreachable');
  });

  it('adds the models of further groups of servers to the local ones', async () => {
    const [more, gone] = [two.base(undefined, ''), 'http://127.0.0.1:9'];
    const providers = { one: { base_url: rig.provider.base() } };
    await again(providers, { base_url: gone, list_urls: [gone, more, local.base(undefined, '')] });
    const own = ['local b', 'local both', 'local org/c', 'local qwen3:8b'];
    expect(await ownersOf()).toEqual(['one a', 'one both', ...own]);
    const answer = await rig.ask('/local/v1/models');
    expect(await answer.json()).toMatchObject({ data: own.map((line) => ({ id: line.slice(6) })) });
  });

  it('converts the list of Gemini', async () => {
    const gemini = await Provider.start(undefined, undefined, answerAsGemini);
    await again({ one: { base_url: gemini.base(undefined, '/v1beta'), api: 'gemini' } });
    expect(await ownersOf()).toEqual(['one gemini-test']);
    await gemini.close();
  });

  /** Restarts the relay with other providers, and without local models by default. */
  async function again(providers: Settings['providers'], local?: Settings['local']) {
    await rig.stop();
    const keys = { ONE_API_KEY: providerKey, TWO_API_KEY: providerKey };
    const settings = { providers, ...(local ? { local } : {}) };
    rig = await RelayRig.start(settings, { provider: rig.provider, keys });
  }
});
