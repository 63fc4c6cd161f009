import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { BudgetedRelay } from './budget/budgeted-relay.ts';
import { json } from './provider.ts';
import { relayKey } from './rig.ts';

/** The requests of clients in their own headers and fields, shortened. */
const requests = {
  codex: {
    path: '/v1/responses',
    headers: { accept: 'text/event-stream', originator: 'codex_exec', 'session-id': '01a2278b' },
    body: {
      ...{ model: 'gpt-5-mini', stream: true, store: false, parallel_tool_calls: true },
      ...{ input: [], tools: [], include: ['reasoning.encrypted_content'] },
    },
  },
  aider: {
    path: '/openai/v1/chat/completions',
    headers: { 'user-agent': 'OpenAI/Python 2.20.0', 'x-stainless-retry-count': '0' },
    body: { model: 'gpt-5-mini', stream: true, messages: [{ role: 'user', content: 'hello' }] },
  },
  'Claude Code': {
    path: '/anthropic/v1/messages?beta=true',
    headers: {
      ...{ 'anthropic-version': '2023-06-01', 'x-app': 'cli', 'x-stainless-retry-count': '0' },
      'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14',
    },
    body: { model: 'claude-sonnet-4-5', max_tokens: 32_000, stream: true, messages: [] },
  },
  'Gemini CLI': {
    path: '/gemini/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-client': 'google-genai-sdk/1.30.0 gl-node/v24.22.3' },
    body: { contents: [], generationConfig: { temperature: 1 } },
  },
  "Ollama's": {
    path: '/local/api/chat',
    headers: { 'user-agent': 'ollama-js/0.6.4' },
    body: { model: 'qwen3:8b', messages: [], stream: false },
  },
} as const;
type Client = keyof typeof requests;

/** How each client sends its key. */
const keyHeaders = (client: Client, key: string) =>
  client === 'Gemini CLI' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };

let relay: BudgetedRelay;
beforeAll(async () => {
  relay = await BudgetedRelay.start({ budget: { requests_per_day: 1 } });
  const base_url = relay.rig.provider.base();
  const key = (name: string, more: object) => ({ name, sha256: sha256Hex(name), ...more });
  const providers = {
    openai: { base_url },
    anthropic: { base_url, api: 'anthropic', key_env: 'OPENAI_API_KEY' },
    gemini: { base_url, api: 'gemini', key_env: 'OPENAI_API_KEY' },
  };
  const keys = [
    key('spent', { budget: { requests_per_day: 1 } }),
    key('limited', { models: ['another-model'] }),
    key('expired', { expires: '2020-01-01' }),
    { name: 'any', sha256: sha256Hex(relayKey) },
  ];
  const local = { base_url: base_url.replace('/v1', '') };
  await relay.restart({}, { providers, local, keys });
  await send('aider', 'spent');
});
afterAll(() => relay.close());

async function send(client: Client, key: string) {
  const { path, headers, body } = requests[client];
  const answer = await fetch(`${relay.rig.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...keyHeaders(client, key) },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}

const spent =
  'budget of the relay key spent exceeded: 0 of 1 requests a day are left; it resets at 2027-04-01T00:00:00Z';
const forbidden = 'permission denied: this key may use only another-model';
const ofOpenai = (message: string, type: string, code: string) => ({
  error: { message, type, param: null, code },
});
const info = (reason: string) => ({
  ...{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'landfall' },
});

describe('a refusal', () => {
  const budget = ofOpenai(spent, 'insufficient_quota', 'relay_budget_exceeded');
  it.each<[Client, object]>([
    ['codex', budget],
    ['aider', budget],
    [
      'Claude Code',
      {
        type: 'error',
        error: { type: 'billing_error', message: spent, code: 'relay_budget_exceeded' },
      },
    ],
    [
      'Gemini CLI',
      {
        error: {
          ...{ code: 400, message: spent, status: 'FAILED_PRECONDITION' },
          details: [
            info('relay_budget_exceeded'),
            { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '43200s' },
          ],
        },
      },
    ],
    ["Ollama's", { error: spent, code: 'relay_budget_exceeded' }],
  ])('tells %s not to retry after a used-up budget', async (client, body) => {
    const answer = await send(client, 'spent');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual(body);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'content-type': 'application/json', 'x-should-retry': 'false', 'x-relay-key': 'known' },
      ...{ 'retry-after': '43200', 'x-relay-remaining-requests': '0' },
    });
  });

  const model = ofOpenai(forbidden, 'permission_error', 'relay_model_forbidden');
  it.each<[Client, number, object]>([
    ['codex', 400, model],
    ['aider', 400, model],
    [
      'Claude Code',
      403,
      {
        type: 'error',
        error: { type: 'permission_error', message: forbidden, code: 'relay_model_forbidden' },
      },
    ],
    [
      'Gemini CLI',
      403,
      {
        error: {
          ...{ code: 403, message: forbidden, status: 'PERMISSION_DENIED' },
          details: [info('relay_model_forbidden')],
        },
      },
    ],
    ["Ollama's", 403, { error: forbidden, code: 'relay_model_forbidden' }],
  ])('tells %s not to retry with a forbidden model: status %i', async (client, status, body) => {
    const answer = await send(client, 'limited');
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual(body);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(answer.headers.get('x-relay-key')).toBe('known');
  });

  it.each(Object.keys(requests) as Client[])(
    'counts for bans only if the key is not one of the relay: %s',
    async (client) => {
      const wrong = await send(client, 'wrong');
      expect([wrong.status, wrong.headers.get('x-relay-key')]).toEqual([401, null]);
      const expired = await send(client, 'expired');
      expect([expired.status, expired.headers.get('x-relay-key')]).toEqual([401, 'known']);
    },
  );

  it('marks errors of a provider, and no answers, as those of a known key', async () => {
    const headers = { 'x-relay-key': 'none' };
    relay.rig.provider.answerNext(json(404, { error: { message: 'no such model' } }, headers));
    const unknown = await send('aider', relayKey);
    expect([unknown.status, unknown.headers.get('x-relay-key')]).toEqual([404, 'known']);
    const answer = await send('aider', relayKey);
    expect([answer.status, answer.headers.get('x-relay-key')]).toEqual([200, null]);
  });
});
