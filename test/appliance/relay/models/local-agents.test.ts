import { request } from 'node:http';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterThisTest } from '../../../setup/cleanup.ts';
import { beginStream, json } from '../provider.ts';
import { RelayRig, relayKey } from '../rig.ts';
import {
  closeStands,
  type Stands,
  settingsFor,
  standKeys,
  startStands,
} from '../strict/premises.ts';
import { event } from '../strict/strict.ts';

let stands: Stands;
let rig: RelayRig;
beforeAll(async () => {
  stands = await startStands();
  rig = await RelayRig.start(
    { ...settingsFor(stands), local: { ...settingsFor(stands).local, context: 65_536 } },
    { provider: stands.openai, keys: standKeys },
  );
});
afterAll(async () => {
  await rig.close();
  await closeStands(stands);
});

const model = 'qwen3:8b';
const cached = { cache_control: { type: 'ephemeral' } };
const call = (id: string) => ({
  ...{ id, type: 'function', function: { name: 'read', arguments: '{"file":"a.ts"}' } },
});

/** Requests of agents, shortened, each after two calls of tools at the same time. */
const requests = {
  '/v1/chat/completions': {
    ...{ model, stream: true, parallel_tool_calls: true, prompt_cache_key: 'session-1' },
    messages: [
      { role: 'user', content: 'Read both' },
      { role: 'assistant', content: null, tool_calls: [call('call_1'), call('call_2')] },
      { role: 'tool', tool_call_id: 'call_1', content: 'one' },
      { role: 'tool', tool_call_id: 'call_2', content: 'two' },
    ],
    tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
  },
  '/v1/messages': {
    ...{ model, stream: true, max_tokens: 8000 },
    system: [{ type: 'text', text: 'You are an agent.', ...cached }],
    tools: [{ name: 'read', input_schema: { type: 'object' }, ...cached }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Read both', ...cached }] }],
  },
  '/v1/responses': {
    ...{ model, stream: true, store: false, parallel_tool_calls: true, prompt_cache_key: 's' },
    ...{ instructions: 'You are an agent.', include: ['reasoning.encrypted_content'] },
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Read both' }] },
      { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' },
      { type: 'function_call', call_id: 'call_2', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'one' },
      { type: 'function_call_output', call_id: 'call_2', output: 'two' },
    ],
    tools: [{ type: 'function', name: 'read', parameters: { type: 'object' } }],
  },
} as const;
type Endpoint = keyof typeof requests;

const post = (path: string, body: object | string, signal?: AbortSignal) =>
  rig.ask(path, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    ...{ body: typeof body === 'string' ? body : JSON.stringify(body), ...(signal && { signal }) },
  });

describe('what a coding agent sends to a local model', () => {
  it.each(Object.keys(requests) as Endpoint[])(
    'reaches Ollama unchanged, with cached prompts and parallel calls: %s',
    async (endpoint) => {
      // Clients of Anthropic have no other base URL; OpenAI's find the model by its name.
      const path = endpoint === '/v1/messages' ? `/local${endpoint}` : endpoint;
      stands.local.answerNext(json(200, { done: true }));
      const body = JSON.stringify(requests[endpoint]);
      expect((await post(path, body)).status).toBe(200);
      const { url, body: received } = stands.local.asked.at(-1) ?? {};
      expect({ url, body: `${received}` }).toEqual({ url: endpoint, body });
    },
  );

  it('gets parallel calls of tools as Ollama streams them', async () => {
    const calls = [0, 1].map((index) => ({ index, ...call(`call_${index}`) }));
    const text = event({ choices: [{ index: 0, delta: { tool_calls: calls } }] });
    stands.local.answerNext((response) => {
      beginStream(response);
      response.end(text);
    });
    const answer = await post('/v1/chat/completions', requests['/v1/chat/completions']);
    expect(await answer.text()).toBe(text);
  });

  it.each([
    ['before the first word', 0],
    ['in the middle of an answer', 1],
  ])(
    'frees the slot of Ollama within two seconds after the client left: %s',
    async (_when, words) => {
      const left = stands.local.clientLeft();
      const leaving = new AbortController();
      stands.local.answerNext((response) => {
        beginStream(response);
        for (let word = 0; word < words; word += 1) response.write(event({ choices: [] }));
        leaving.abort();
      });
      const began = performance.now();
      const answer = post('/v1/responses', requests['/v1/responses'], leaving.signal);
      await expect(answer.then((each) => each.text())).rejects.toThrow();
      await left;
      expect(performance.now() - began).toBeLessThan(2000);
    },
  );
});

/** Accepts one request and returns how many bytes of it arrived. Responds when the test says so. */
async function countingProvider() {
  const received = { bytes: 0 };
  let respond = () => {};
  const server = createServer((socket) => {
    socket.on('data', ({ length }) => {
      received.bytes += length;
    });
    socket.on('error', () => {});
    respond = () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => void server.close());
  const { port } = server.address() as { port: number };
  return { received, origin: `http://127.0.0.1:${port}`, respond: () => respond() };
}

describe('a request of 8 MB', () => {
  const size = 8 * 2 ** 20;
  const image = `data:image/png;base64,${'A'.repeat(size)}`;
  const content = [{ type: 'image_url', image_url: { url: image } }];
  const body = Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content }] }));
  const half = body.length / 2;

  it.each([
    ['a hosted model', '/openai/v1/chat/completions', {}],
    ['a local model', '/local/v1/chat/completions', {}],
    ['a model that is found by its name', '/v1/chat/completions', {}],
  ])('streams, and is sent once: %s', async (_what, path) => {
    const provider = await countingProvider();
    const own = await RelayRig.start(
      {
        providers: { openai: { base_url: `${provider.origin}/v1` } },
        ...(path.startsWith('/local') ? { local: { base_url: provider.origin } } : {}),
      },
      { keys: standKeys },
    );
    afterThisTest(() => own.close());
    const headers = {
      ...{ authorization: `Bearer ${relayKey}`, 'content-type': 'application/json' },
      'content-length': body.length,
    };
    const sent = request(`${own.url}${path}`, { method: 'POST', headers });
    const status = new Promise((resolve) =>
      sent.on('response', (answer) => resolve(answer.statusCode)),
    );
    sent.write(body.subarray(0, half));
    // The rest is sent only after a part has arrived at the provider: a relay that first reads all would wait.
    await expect.poll(() => provider.received.bytes, { timeout: 10_000 }).toBeGreaterThan(half / 2);
    sent.end(body.subarray(half));
    await expect
      .poll(() => provider.received.bytes, { timeout: 10_000 })
      .toBeGreaterThan(body.length);
    provider.respond();
    expect(await status).toBe(200);
    expect(provider.received.bytes).toBeLessThan(body.length + 2000);
  });
});
