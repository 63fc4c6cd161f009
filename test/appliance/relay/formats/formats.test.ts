import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { responseOf } from '../../../../appliance/relay/fetch.ts';
import { gemini } from '../../../../appliance/relay/formats/gemini.ts';
import { refusalResponse } from '../../../../appliance/relay/refusal.ts';
import { codeOf, RelayRig, relayKey } from '../rig.ts';
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
  const keys = [
    { name: 'me', sha256: sha256Hex(relayKey) },
    { name: 'guest', sha256: sha256Hex('guest'), providers: ['openai'] },
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
beforeEach(() => {
  rig.log.length = 0;
  for (const { asked } of Object.values(stands)) asked.length = 0;
});

/** Sends a request with exactly these headers. */
function send(path: string, headers: Record<string, string>, body?: object): Promise<Response> {
  if (!body) return fetch(`${rig.url}${path}`, { headers });
  const own = { 'content-type': 'application/json', ...headers };
  return fetch(`${rig.url}${path}`, { method: 'POST', headers: own, body: JSON.stringify(body) });
}

const bearer = { authorization: `Bearer ${relayKey}` };
const anthropicVersion = { 'anthropic-version': '2024-01-01' };

describe("a relay key in a format's own place", () => {
  it.each([
    ['Anthropic, as a bearer token', '/anthropic/v1/models', bearer],
    ['Anthropic, in x-api-key', '/anthropic/v1/models', { 'x-api-key': relayKey }],
    ['Gemini, as a bearer token', '/gemini/v1beta/models', bearer],
    ['Gemini, in x-goog-api-key', '/gemini/v1/models', { 'x-goog-api-key': relayKey }],
    ['Gemini, in the query', `/gemini/v1beta/models?key=${relayKey}`, {}],
    ['local models, in x-api-key', '/local/v1/models', { 'x-api-key': relayKey }],
    ['Gemini, in x-api-key', '/gemini/v1beta/models', { 'x-api-key': relayKey }],
    [
      'OpenAI, as a password',
      '/openai/v1/models',
      { authorization: `Basic ${btoa(`:${relayKey}`)}` },
    ],
    [
      'Anthropic, beside a token of another service',
      '/anthropic/v1/models',
      { authorization: 'Bearer sk-ant-oat01-foreign', 'x-api-key': relayKey },
    ],
    [
      'Anthropic, beside a key of another service',
      '/anthropic/v1/models',
      { ...bearer, 'x-api-key': 'sk-ant-foreign' },
    ],
  ])('accepts a relay key of %s', async (_what, path, headers) => {
    expect((await send(path, headers)).status).toBe(200);
  });

  it.each([
    ['in the query of another API', `/openai/v1/models?key=${relayKey}`, {}, 'relay_key_missing'],
    ['in an unknown header', '/gemini/v1beta/models', { 'api-key': relayKey }, undefined],
    [
      'that is wrong in each header',
      '/anthropic/v1/models',
      { authorization: 'Bearer wrong', 'x-api-key': 'wrong' },
      'relay_key_invalid',
    ],
  ])('rejects a relay key %s', async (_what, path, headers: Record<string, string>, code) => {
    const answer = await send(path, headers);
    expect(answer.status).toBe(401);
    if (code !== undefined) expect(await codeOf(answer)).toBe(code);
    expect(Object.values(stands).flatMap(({ asked }) => asked)).toEqual([]);
  });
});

describe('a request in the format of its provider', () => {
  it('reaches Gemini without the key of the query, and is logged without it', async () => {
    const action = '/gemini/v1beta/models/gemini-test:streamGenerateContent';
    const query = `?alt=sse&key=${relayKey}&k%65y=${relayKey}&x=%20y`;
    expect((await send(`${action}${query}`, {}, { contents: [] })).status).toBe(200);
    expect(stands.gemini.asked[0]?.url).toBe(
      '/v1beta/models/gemini-test:streamGenerateContent?alt=sse&x=%20y',
    );
    expect(JSON.stringify(rig.log)).not.toContain(relayKey);
  });

  it('reaches Anthropic with its version and beta, and with a version if the client sends none', async () => {
    const beta = { 'anthropic-beta': 'context-1m' };
    const path = '/anthropic/v1/messages';
    await send(path, { ...bearer, ...anthropicVersion, ...beta }, {});
    await send(path, bearer, {});
    const headers = stands.anthropic.asked.map((asked) => asked.headers);
    expect(headers[0]).toMatchObject({ ...anthropicVersion, ...beta });
    expect(headers[1]).toMatchObject({ 'anthropic-version': '2023-06-01' });
    for (const each of headers) expect(each).not.toHaveProperty('authorization');
  });

  it.each([
    ...['/openai/v1/messages', '/openai/v1beta/models', '/openai/api/tags'],
    ...['/anthropic/v1/chat/completions', '/anthropic/v1/messages/batches'],
    ...['/anthropic/v1/files', '/anthropic/v1/organizations/usage_report/messages'],
    ...['/gemini/v1beta/files', '/gemini/v1beta/cachedContents', '/gemini/upload/v1beta/files'],
    ...['/gemini/v1beta/models/gemini-test:batchGenerateContent', '/gemini/v1beta/tunedModels'],
    ...['/gemini/v1beta/models/..:generateContent', '/gemini/v1beta/models/a%2fb:countTokens'],
  ])('refuses an endpoint of another format or of the account: %s', async (path) => {
    for (const body of [undefined, {}]) expect((await send(path, bearer, body)).status).toBe(404);
    expect(Object.values(stands).flatMap(({ asked }) => asked)).toEqual([]);
  });
});

describe('a refusal', () => {
  it.each([
    [
      "Anthropic's",
      403,
      '/anthropic/v1/messages',
      { type: 'error', error: { type: 'permission_error', code: 'relay_provider_forbidden' } },
    ],
    [
      "Gemini's",
      403,
      '/gemini/v1beta/models/gemini-test:generateContent',
      {
        error: {
          code: 403,
          status: 'PERMISSION_DENIED',
          details: [{ reason: 'relay_provider_forbidden' }],
        },
      },
    ],
    [
      "Ollama's",
      403,
      '/local/api/chat',
      { error: expect.stringContaining('permission denied'), code: 'relay_provider_forbidden' },
    ],
    ["OpenAI's", 400, '/local/v1/embeddings', { error: { code: 'relay_provider_forbidden' } }],
  ])('refuses in the format of the client: %s', async (_whose, status, path, expected) => {
    const answer = await send(path, { authorization: 'Bearer guest' }, {});
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject(expected);
  });

  it('names no provider to a client without a key', async () => {
    for (const path of ['v1/models', 'v1/messages', 'v1beta/models', 'api/tags']) {
      const [known, unknown] = await Promise.all(
        ['anthropic', 'unknown'].map(async (name) => (await send(`/${name}/${path}`, {})).text()),
      );
      expect(known).toBe(unknown);
    }
  });
});

describe('a refusal in the format of Gemini', () => {
  it('contains when to retry, which Gemini CLI reads in no header', async () => {
    const headers = { 'retry-after': '49722' };
    const answer = responseOf(refusalResponse({ refused: 'relay_rate_limited', headers }, gemini));
    expect(await answer.json()).toMatchObject({
      error: {
        ...{ code: 429, status: 'RESOURCE_EXHAUSTED' },
        details: [
          { reason: 'relay_rate_limited' },
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '49722s' },
        ],
      },
    });
  });

  it('contains no time that is not known', async () => {
    const answer = responseOf(refusalResponse({ refused: 'relay_key_invalid' }, gemini));
    expect(await answer.text()).not.toContain('RetryInfo');
  });
});
