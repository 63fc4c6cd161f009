import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engineApi } from './api.ts';
import { putTinyModel } from './models/put-tiny-model.ts';
import { readSettings } from './settings.ts';

let models: string;
beforeEach(() => {
  models = mkdtempSync(join(tmpdir(), 'landfall-models-'));
});
afterEach(() => rmSync(models, { recursive: true }));

const hello = { role: 'user', content: 'Hello' };

/** Returns the response to a request for `tiny:1b`. */
async function answer(path: string, question: object, memory?: string) {
  const settings = readSettings({ OLLAMA_MODELS: models, LANDFALL_ENGINE_MEMORY: memory });
  const handler = await engineApi(settings, undefined);
  const body = JSON.stringify({ model: 'tiny:1b', stream: false, ...question });
  const response = await handler(new Request(`http://engine${path}`, { method: 'POST', body }));
  const said = (await response.json()) as { error?: unknown; capabilities?: string[] };
  return { status: response.status, body: said };
}

describe('the stand-in for Ollama without enough memory for a model', () => {
  it('fails with the last errors of llama-server', async () => {
    await putTinyModel(models, 'tiny:1b');
    const { status, body } = await answer('/api/generate', { prompt: 'Why?' }, '104857');
    expect(status).toBe(500);
    expect(body.error).toMatch(
      /^llama-server process has terminated: exit status 1: \w+: failed to allocate buffer of size \d+\nalloc_tensor_range: failed/,
    );
    const openAi = await answer('/v1/chat/completions', { messages: [hello] }, '104857');
    expect(openAi.body.error).toMatchObject({ type: 'api_error', message: body.error });
  });
});

describe('the stand-in for Ollama with an embedding model', () => {
  it('reports that the model cannot generate text', async () => {
    await putTinyModel(models, 'tiny:1b', 1, 'nomic-bert');
    expect((await answer('/api/show', {})).body.capabilities).toEqual(['embedding']);
    for (const kind of ['generate', 'chat']) {
      expect(await answer(`/api/${kind}`, { prompt: 'Why?', messages: [hello] })).toEqual({
        status: 400,
        body: { error: `"tiny:1b" does not support ${kind}` },
      });
    }
  });
});

describe('a chat with the stand-in for Ollama', () => {
  it('requires a message in the API of OpenAI, which is validated first', async () => {
    for (const messages of [[], null, undefined]) {
      expect(await answer('/v1/chat/completions', { model: 'none:1b', messages })).toEqual({
        status: 400,
        body: {
          error: {
            message: "[] is too short - 'messages'",
            type: 'invalid_request_error',
            param: null,
            code: null,
          },
        },
      });
    }
  });

  it("without messages unloads the model in Ollama's API", async () => {
    await putTinyModel(models, 'tiny:1b');
    expect(await answer('/api/chat', { messages: [], keep_alive: 0 })).toMatchObject({
      status: 200,
      body: { message: { role: 'assistant', content: '' }, done: true, done_reason: 'unload' },
    });
  });

  it.each([
    ['/api/chat', 400, 'model is required'],
    ['/api/generate', 404, "model '' not found"],
  ])('requires a model: %s', async (path, status, error) => {
    expect(await answer(path, { model: '' })).toEqual({ status, body: { error } });
  });

  it('rejects an option of another type', async () => {
    await putTinyModel(models, 'tiny:1b');
    const options = { num_predict: '5' };
    expect(await answer('/api/generate', { prompt: 'Why?', options })).toEqual({
      status: 500,
      body: { error: 'option "num_predict" must be of type integer' },
    });
  });
});

it('rejects a pull of an invalid model name', async () => {
  expect(await answer('/api/pull', { model: 'a/b/c/d:1' })).toEqual({
    status: 400,
    body: { error: 'invalid model name' },
  });
});

describe('the stand-in for Ollama with a model whose template has no tools', () => {
  // Open WebUI adds tools to the messages of browsers.
  it('rejects a chat with tools', async () => {
    await putTinyModel(models, 'tiny:1b');
    const tools = [{ type: 'function', function: { name: 'clock' } }];
    expect(await answer('/api/chat', { messages: [hello], tools })).toEqual({
      status: 400,
      body: { error: '"tiny:1b" does not support tools' },
    });
  });
});
