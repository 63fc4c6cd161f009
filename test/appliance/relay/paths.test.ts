import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { RelayRig, relayKey } from './rig.ts';
import {
  closeStands,
  type Stands,
  settingsFor,
  standKeys,
  startStands,
} from './strict/premises.ts';

let stands: Stands;
let rig: RelayRig;
beforeEach(async () => {
  stands = await startStands();
  const keys = [
    { name: 'me', sha256: sha256Hex(relayKey) },
    { name: 'limited', sha256: sha256Hex('limited'), models: ['gpt-*'] },
  ];
  rig = await RelayRig.start(
    { ...settingsFor(stands), keys },
    { provider: stands.openai, keys: standKeys },
  );
});
afterEach(async () => {
  await rig.close();
  await closeStands(stands);
});

const body = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] };
const post = { method: 'POST', headers: { 'content-type': 'application/json' } };

describe('a path of a client with another base URL', () => {
  it.each([
    ['//v1/chat/completions', '/chat/completions', 'openai'],
    ['/openai//v1/chat/completions/', '/chat/completions', 'openai'],
    ['/openai/chat/completions', '/chat/completions', 'openai'],
    ['/openai/v1/v1/chat/completions', '/chat/completions', 'openai'],
    ['/v1/v1/chat/completions', '/chat/completions', 'openai'],
    ['/chat/completions', '/chat/completions', 'openai'],
    ['/anthropic/messages', '/messages', 'anthropic'],
    ['/gemini/models/gemini-test:generateContent', '/models/gemini-test:generateContent', 'gemini'],
    ['/local/chat/completions', '/v1/chat/completions', 'local'],
    ['/api/chat', '/api/chat', 'local'],
    ['/api/chat/', '/api/chat', 'local'],
  ])('means the same as the complete path: %s', async (path, endpoint, provider) => {
    await rig.ask(path, { ...post, body: JSON.stringify(body) });
    expect(rig.log.at(-1)).toMatchObject({ endpoint, provider });
    expect(stands[provider as keyof Stands].asked.at(-1)?.url).toContain(endpoint);
  });

  it.each(['/', '/local', '/local/'])('finds that Ollama runs: %s', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      expect((await rig.ask(path, { method })).status).toBe(200);
      expect(stands.local.asked.at(-1)).toMatchObject({ method, url: '/api/version' });
    }
    expect((await fetch(`${rig.url}${path}`)).status).toBe(401);
  });

  it('gets an error of Ollama at the root, and the base URL elsewhere', async () => {
    const wrong = { headers: { authorization: 'Bearer x' } };
    expect(await (await rig.ask('/api/tags', wrong)).json()).toMatchObject({
      error: 'invalid relay key',
    });
    expect(await (await rig.ask('/api/pull', post)).json()).toMatchObject({
      error: expect.stringContaining('https://<relay>/v1'),
    });
  });

  it.each([
    ['directly', { connection: 'Upgrade', upgrade: 'websocket' }],
    ['through nginx', {}],
  ])('refuses a WebSocket with a status after which clients use HTTP: %s', async (_, own) => {
    const { request } = await import('node:http');
    const headers = { ...own, 'sec-websocket-version': '13', 'sec-websocket-key': 'eA==' };
    const [status, upgrade] = await new Promise<unknown[]>((resolve, reject) => {
      const sent = request(`${rig.url}/openai/v1/responses`, { headers }, (answer) => {
        answer.resume();
        resolve([answer.statusCode, answer.headers.upgrade]);
      });
      sent.on('error', reject).end();
    });
    expect([status, upgrade]).toEqual([426, 'HTTP/1.1']);
  });
});

describe('the list of models for a key', () => {
  const list = async (path: string, headers: Record<string, string>) => {
    const answer = await rig.ask(path, { headers });
    return (await answer.json()) as { data: Array<{ id: string }>; has_more?: boolean };
  };

  it.each(['/v1/models', '/openai/v1/models', '/local/v1/models'])(
    'contains only its models: %s',
    async (path) => {
      const headers = { authorization: 'Bearer limited' };
      const ids = (await list(path, headers)).data.map(({ id }) => id);
      expect(ids).toEqual(path.startsWith('/local') ? [] : ['gpt-test']);
    },
  );

  it('uses the format of Anthropic for its clients', async () => {
    const { data, ...rest } = await list('/v1/models', { 'anthropic-version': '2023-06-01' });
    const model = { type: 'model', created_at: expect.any(String) };
    expect(data).toContainEqual({ ...model, id: 'gpt-test', display_name: 'gpt-test' });
    expect(rest).toEqual({
      ...{ has_more: false, first_id: data[0]?.id, last_id: data.at(-1)?.id },
    });
  });
});

describe('a client that waits before it sends its body', () => {
  it('gets 100 Continue only with a valid key', async () => {
    const { request } = await import('node:http');
    const send = (key: string) =>
      new Promise<unknown[]>((resolve, reject) => {
        let isAsked = false;
        const headers = {
          ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...{ expect: '100-continue', 'content-length': JSON.stringify(body).length },
        };
        const url = `${rig.url}/openai/v1/chat/completions`;
        const sent = request(url, { method: 'POST', headers }, (answer) => {
          answer.resume();
          resolve([answer.statusCode, isAsked, answer.headers.connection]);
        });
        sent.on('error', reject).on('continue', () => {
          isAsked = true;
          sent.end(JSON.stringify(body));
        });
        sent.flushHeaders();
      });
    expect(await send('wrong')).toEqual([401, false, 'close']);
    expect(await send(relayKey)).toEqual([200, true, 'keep-alive']);
    expect(stands.openai.asked).toHaveLength(1);
  });
});
