import Anthropic from '@anthropic-ai/sdk';
import { ApiError, GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerKey } from './provider.ts';
import { RelayRig, relayKey } from './rig.ts';
import {
  clients,
  closeStands,
  type Stands,
  settingsFor,
  standKeys,
  startStands,
} from './strict/premises.ts';

let stands: Stands;
let rig: RelayRig;
beforeAll(async () => {
  stands = await startStands();
  rig = await RelayRig.start(settingsFor(stands), { provider: stands.openai, keys: standKeys });
});
afterAll(async () => {
  await rig.close();
  await closeStands(stands);
});

describe.each(clients)('the official client %s', (_name, callsOf, listed) => {
  it('lists models', async () => {
    expect(await callsOf(rig.url, relayKey).list()).toEqual([listed]);
  });

  it('streams', async () => {
    expect(await callsOf(rig.url, relayKey).stream()).toEqual(['Hel', 'lo']);
  });

  it('calls a tool', async () => {
    expect(await callsOf(rig.url, relayKey).tool()).toBe('weather');
  });

  it('rejects with the status of a wrong key', async () => {
    await expect(callsOf(rig.url, 'wrong').list()).rejects.toThrow(/invalid relay key/);
  });
});

describe('the official clients', () => {
  it('read the errors of the relay in their own format', async () => {
    const anthropic = new Anthropic({
      ...{ apiKey: 'wrong', authToken: null, baseURL: `${rig.url}/anthropic`, maxRetries: 0 },
    });
    await expect(anthropic.models.list()).rejects.toMatchObject({
      status: 401,
      error: { type: 'error', error: { type: 'authentication_error', code: 'relay_key_invalid' } },
    });
    const genai = new GoogleGenAI({
      apiKey: 'wrong',
      httpOptions: { baseUrl: `${rig.url}/gemini` },
    });
    const refused = genai.models.countTokens({ model: 'gemini-test', contents: 'x' });
    await expect(refused).rejects.toThrow(ApiError);
    await expect(refused).rejects.toThrow(/UNAUTHENTICATED.*relay_key_invalid/);
    const ollama = new Ollama({ host: `${rig.url}/local` });
    await expect(ollama.list()).rejects.toMatchObject({
      ...{ status_code: 401, error: expect.stringMatching(/^missing relay key/) },
    });
  });

  it('count tokens and embed', async () => {
    const anthropic = new Anthropic({ apiKey: relayKey, baseURL: `${rig.url}/anthropic` });
    const messages = [{ role: 'user' as const, content: 'x' }];
    const count = anthropic.messages.countTokens({ model: 'claude-test', messages });
    expect((await count).input_tokens).toBe(3);
    const genai = new GoogleGenAI({
      apiKey: relayKey,
      httpOptions: { baseUrl: `${rig.url}/gemini` },
    });
    const request = { model: 'gemini-test', contents: 'x' };
    expect((await genai.models.countTokens(request)).totalTokens).toBe(3);
    const { embeddings } = await genai.models.embedContent(request);
    expect(embeddings?.[0]?.values).toEqual([0.5, 0.25]);
  });

  it('left no key in the log', () => {
    expect(rig.log.length).toBeGreaterThan(10);
    expect(JSON.stringify(rig.log)).not.toMatch(new RegExp(`${relayKey}|${providerKey}`));
  });
});
