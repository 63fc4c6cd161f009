import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ollama } from 'ollama';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { putTinyModel, tinyModel } from '../../stand-ins/engine/models/put-tiny-model.ts';
import { ModelRegistry } from '../../stand-ins/model-registry/model-registry.ts';
import { needs } from '../needs.ts';
import { type EngineProcess, startEngineProcess } from './engine-process.ts';

const real = needs('llama');

/** The inference engine of the test stack, queried by Ollama's own client. */
real.describe("the stand-in for Ollama, with Ollama's own client", () => {
  let store: string;
  let server: EngineProcess;
  let url: string;
  let client: Ollama;

  beforeAll(async () => {
    store = await mkdtemp(join(tmpdir(), 'landfall-models-'));
    server = await startEngine(store, real.llama);
    url = server.url;
    client = new Ollama({ host: url });
  });
  afterAll(async () => {
    await server?.stop();
    await rm(store, { recursive: true, force: true });
  });

  it('lists no models before the first pull (SPEC 4, E1)', async () => {
    expect(await (await fetch(`${url}/api/tags`)).text()).toBe('{"models":[]}');
  });

  it('lists a model that was written to its store, with the digest of the manifest', async () => {
    await putTinyModel(store, 'tiny:1b');
    const { models } = await client.list();
    expect(models).toMatchObject([
      { name: 'tiny:1b', model: 'tiny:1b', details: { format: 'gguf', families: ['llama'] } },
    ]);
    expect(models[0]?.digest).toBe(sha256Hex(tinyModel().manifest));
  });

  it('generates tokens without streaming (SPEC 4, E2)', async () => {
    const answer = await client.generate({
      model: 'tiny:1b',
      prompt: 'Why?',
      stream: false,
      options: { num_predict: 12, seed: 1, temperature: 0 },
    });
    expect(answer).toMatchObject({ model: 'tiny:1b', done: true, done_reason: 'length' });
    expect(answer.response?.length).toBeGreaterThan(3);
    expect(answer.eval_count).toBeGreaterThan(3);
    expect(answer.prompt_eval_count).toBeGreaterThan(0);
  });

  it('generates the same text for the same seed, streamed or not', async () => {
    const request = {
      model: 'tiny:1b',
      prompt: 'Again?',
      options: { num_predict: 12, seed: 7, temperature: 0 },
    };
    const whole = await client.generate({ ...request, stream: false });
    let streamed = '';
    let last = { done: false };
    for await (const part of await client.generate({ ...request, stream: true })) {
      streamed += part.response;
      last = part;
    }
    expect(streamed).toBe(whole.response);
    expect(last).toMatchObject({ done: true, total_duration: expect.any(Number) });
  });

  it('chats', async () => {
    const { message } = await client.chat({
      model: 'tiny:1b',
      messages: [{ role: 'user', content: 'Hello' }],
      options: { num_predict: 8 },
    });
    expect(message.role).toBe('assistant');
    expect(message.content.length).toBeGreaterThan(0);
  });

  it('loads a model for a chat without messages', async () => {
    const answer = await client.chat({ model: 'tiny:1b', messages: [] });
    expect(answer).toMatchObject({ done: true, done_reason: 'load' });
    expect((await client.ps()).models).toHaveLength(1);
  });

  it('generates up to ten contexts without a limit', async () => {
    const answer = await client.generate({ model: 'tiny:1b', prompt: 'Why?', stream: false });
    expect(answer).toMatchObject({ done_reason: 'length', eval_count: 5120 });
  });

  it('limits a response by the params layer of a model, which the request overrides', async () => {
    await putTinyModel(store, 'bounded:1b', 2, 'llama', { num_predict: 20 });
    const request = { model: 'bounded:1b', prompt: 'Why?', stream: false } as const;
    expect((await client.generate(request)).eval_count).toBe(20);
    const shorter = await client.generate({ ...request, options: { num_predict: 3 } });
    expect(shorter.eval_count).toBe(3);
    await client.delete({ model: 'bounded:1b' });
  });

  it('stops when its client disconnects', async () => {
    const request = (num_predict: number) =>
      ({ model: 'tiny:1b', prompt: 'Why?', options: { num_predict, seed: 1 } }) as const;
    const durationOf = async (num_predict: number) => {
      const began = performance.now();
      await client.generate({ ...request(num_predict), stream: false });
      return performance.now() - began;
    };
    const whole = await durationOf(-1);
    const left = new AbortController();
    const body = JSON.stringify(request(-1));
    const { signal } = left;
    const response = await fetch(`${url}/api/generate`, { method: 'POST', body, signal });
    await response.body?.getReader().read();
    left.abort();
    // This request waits until the previous one has ended.
    expect(await durationOf(1)).toBeLessThan(whole / 2);
  });

  it('queues simultaneous requests', async () => {
    const ask = (prompt: string) =>
      client.generate({ model: 'tiny:1b', prompt, stream: false, options: { num_predict: 4 } });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(ask));
    expect(answers.map(({ done }) => done)).toEqual([true, true, true, true]);
  });

  it('keeps a model in memory for its keep-alive, and unloads it on request', async () => {
    const options = { num_predict: 1 };
    const request = { model: 'tiny:1b', prompt: 'x', stream: false, options } as const;
    await client.generate({ ...request, keep_alive: '1h' });
    const { models } = await client.ps();
    const leaves = new Date(models[0]?.expires_at ?? 0).getTime() - Date.now();
    expect(leaves).toBeGreaterThan(3_000_000);
    await client.generate({ model: 'tiny:1b', prompt: '', keep_alive: 0, stream: false });
    expect((await client.ps()).models).toEqual([]);
  });

  it.each([
    ['/api/generate', { model: 'nope', prompt: 'x' }, "model 'nope' not found"],
    ['/api/chat', { model: 'nope:2b' }, "model 'nope:2b' not found"],
    ['/api/show', { model: 'nope' }, "model 'nope:latest' not found"],
  ])("returns 404 and Ollama's message for an unknown model to %s", async (path, body, error) => {
    const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error });
  });

  it('reports the reason of a bad request', async () => {
    const post = (body: string) => fetch(`${url}/api/generate`, { method: 'POST', body });
    expect(await (await post('')).json()).toEqual({ error: 'missing request body' });
    expect((await post('{')).status).toBe(400);
    const thinking = await post(JSON.stringify({ model: 'tiny:1b', prompt: 'x', think: true }));
    expect(thinking.status).toBe(400);
  });

  it('rejects requests from pages of other sites, and accepts its own', async () => {
    const from = async (origin: string) =>
      (await fetch(`${url}/api/version`, { headers: { origin } })).status;
    expect(await from('https://evil.example')).toBe(403);
    expect(await from('http://localhost:3000')).toBe(200);
  });

  it('implements the API of OpenAI', async () => {
    expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({
      object: 'list',
      data: [{ id: 'tiny:1b', object: 'model' }],
    });
    const messages = [{ role: 'user', content: 'Hello' }];
    const body = { model: 'tiny:1b', stream: true, max_tokens: 3, messages };
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(text).toMatch(/^data: \{.*"object":"chat.completion.chunk"/);
    expect(text).toMatch(/"finish_reason":"length"\}\]\}\n\ndata: \[DONE\]\n\n$/);
  });

  it('copies a model to another name and deletes one of the two', async () => {
    await client.copy({ source: 'tiny:1b', destination: 'again' });
    await client.delete({ model: 'tiny:1b' });
    const { models } = await client.list();
    expect(models.map(({ name }) => name)).toEqual(['again:latest']);
    const options = { num_predict: 1 };
    const answer = await client.generate({ model: 'again', prompt: 'x', stream: false, options });
    expect(answer.done).toBe(true);
  });

  it('deletes every blob with the last name that uses it', async () => {
    await client.delete({ model: 'again' });
    expect(await readdir(join(store, 'blobs'))).toEqual([]);
  });
});

real.describe('the stand-in for Ollama, on pull', () => {
  let store: string;
  let registry: ModelRegistry;
  let plain: ModelRegistry;
  let engine: EngineProcess;
  let client: Ollama;

  beforeAll(async () => {
    store = await mkdtemp(join(tmpdir(), 'landfall-models-'));
    registry = await ModelRegistry.start();
    registry.push('library/tiny:1b', tinyModel(3));
    plain = await ModelRegistry.start({ redirects: false });
    plain.push('library/tiny:2b', tinyModel(4));
    engine = await startEngine(store, real.llama);
    client = new Ollama({ host: engine.url });
  });
  afterAll(async () => {
    await engine?.stop();
    await Promise.all([registry?.close(), plain?.close()]);
    await rm(store, { recursive: true, force: true });
  });

  it('streams its progress until the end, and has the model then', async () => {
    const lines: Array<{ status: string; total?: number; completed?: number }> = [];
    const model = `${registry.host}/library/tiny:1b`;
    for await (const line of await client.pull({ model, insecure: true, stream: true })) {
      lines.push(line);
    }
    expect(lines[0]).toEqual({ status: 'pulling manifest' });
    expect(lines.at(-1)).toEqual({ status: 'success' });
    const amounts = lines.filter(({ total }) => total && total > 500_000);
    // Their number depends on the speed of the machine.
    expect(amounts.length).toBeGreaterThan(1);
    expect(amounts.at(-1)?.completed).toBe(amounts.at(-1)?.total);
    expect((await client.list()).models.map(({ name }) => name)).toEqual([model]);
  });

  it('reports missing models in the last line', async () => {
    const pulling = client.pull({ model: `${registry.host}/library/none:1b`, insecure: true });
    await expect(pulling).rejects.toThrow('pull model manifest: file does not exist');
  });

  it('cannot pull from a registry that serves blobs without a redirect', async () => {
    const pulling = client.pull({ model: `${plain.host}/library/tiny:2b`, insecure: true });
    await expect(pulling).rejects.toThrow('http: no Location header in response');
  });

  it('trusts an existing blob, and removes unreferenced ones at its start', async () => {
    const stray = join(store, 'blobs', `sha256-${'0'.repeat(64)}`);
    await writeFile(stray, 'x');
    await utimes(stray, 0, 0);
    const again = await startEngine(store, real.llama);
    await again.stop();
    await expect(stat(stray)).rejects.toThrow('ENOENT');
    expect(await readFile(join(store, 'manifests', registry.host, 'library/tiny/1b'))).toEqual(
      tinyModel(3).manifest,
    );
  });
});

async function startEngine(models: string, llama: string): Promise<EngineProcess> {
  return await startEngineProcess({ OLLAMA_MODELS: models, LANDFALL_LLAMA: llama });
}
