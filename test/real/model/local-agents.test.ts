import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { needs } from '../../integration/needs.ts';
import { names, realModels, replies } from '../real-models.ts';
import { type RelayProgram, runRelayProgram } from '../sdk/relay-program.ts';
import { type RealOllama, startOllama } from './real-ollama.ts';

const real = needs('engine', 'ollama', 'llamaSource');
const relayKey = 'relay-key-any';
const context = 4096;

real.describe('what coding agents send to a real Ollama, with the program of the relay', () => {
  let folder: string;
  let ollama: RealOllama;
  let relay: RelayProgram;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-ollama-'));
    await (await realModels(real.llamaSource)).put(folder);
    ollama = await startOllama(real.engine, real.ollama, folder, context);
    relay = await runRelayProgram({
      listen: { host: '127.0.0.1', port: 0 },
      local: { base_url: ollama.origin, context },
      keys: [{ name: 'any', sha256: sha256Hex(relayKey) }],
    });
  });
  afterAll(async () => {
    await relay?.close();
    await ollama?.remove();
    await rm(folder, { recursive: true });
  });

  const post = (path: string, body: object, signal?: AbortSignal) =>
    fetch(`${relay.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${relayKey}`, 'content-type': 'application/json' },
      ...{ body: JSON.stringify(body), ...(signal && { signal }) },
    });

  it("answers requests of Codex by Ollama's own endpoint", async () => {
    const answer = await post('/v1/responses', {
      ...{ model: names.plain, stream: true, store: false, parallel_tool_calls: true },
      ...{ prompt_cache_key: 'session', include: ['reasoning.encrypted_content'], tools: [] },
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
    });
    expect(answer.status).toBe(200);
    const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('data: {'));
    const last = JSON.parse(lines.at(-1)?.slice('data: '.length) ?? '');
    expect(last).toMatchObject({ type: 'response.completed' });
    expect(JSON.stringify(last.response.output)).toContain(replies.plain);
  });

  it('answers requests of Claude Code with marks of cached prompts', async () => {
    const cached = { cache_control: { type: 'ephemeral' } };
    const answer = await post('/local/v1/messages', {
      ...{ model: names.plain, max_tokens: 50, system: [{ type: 'text', text: 'x', ...cached }] },
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...cached }] }],
    });
    expect(await answer.text()).toContain(replies.plain);
  });

  it.each([
    ['/v1/responses', { input: 'Hi' }],
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
    ['/local/v1/messages', { max_tokens: 9999, messages: [{ role: 'user', content: 'Hi' }] }],
  ])('frees the only slot within two seconds after a client left: %s', async (path, body) => {
    const model = names.endless;
    const options = { num_predict: 1 };
    /** Returns the milliseconds of a short answer, which needs the slot. */
    const shortAnswer = async () => {
      const began = performance.now();
      const answer = await post('/local/api/generate', {
        model,
        prompt: 'Hi',
        stream: false,
        options,
      });
      await answer.text();
      expect(answer.status).toBe(200);
      return performance.now() - began;
    };
    // Loads the model.
    await shortAnswer();
    const alone = await shortAnswer();
    const leaving = new AbortController();
    const answer = await post(path, { model, stream: true, ...body }, leaving.signal);
    await answer.body?.getReader().read();
    leaving.abort();
    expect(await shortAnswer()).toBeLessThan(2000 + alone);
  });
});
