import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpProxy } from '../../../faulty-server/http-proxy.ts';
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
  rig = await RelayRig.start(
    // The proxy of the route refuses everything.
    {
      local: settingsFor(stands).local,
      providers: {},
      route: { mode: 'http-proxy', url: await proxyUrl() },
    },
    { provider: stands.openai, keys: standKeys },
  );
});
afterAll(async () => {
  await rig.close();
  await proxy?.close();
  await closeStands(stands);
});

let proxy: HttpProxy | undefined;
async function proxyUrl(): Promise<string> {
  proxy = await HttpProxy.start({ refusal: 403 });
  return proxy.url;
}

/** Endpoints of Ollama that change models or leak files (docs/api.md of Ollama, and its router). */
const closed = [
  ...['pull', 'push', 'create', 'copy', 'delete', 'blobs', 'experimental', 'me', 'signout'],
  ...['user', 'web_search', 'web_fetch', 'upload', 'logs', 'debug', 'metrics'],
];
const open = ['tags', 'ps', 'version', 'show', 'chat', 'generate', 'embed', 'embeddings'];

/** Paths below `/local`, near the open ones or at a closed one. */
const paths = fc.oneof(
  fc
    .tuple(fc.constantFrom(...closed), fc.constantFrom('', '/', '/sha256:0', '/x', '?x=1', '/..'))
    .map(([name, rest]) => `/api/${name}${rest}`),
  fc
    .tuple(
      fc.constantFrom(...open),
      fc.constantFrom('/../pull', '/%2e%2e/pull', '/..%2fdelete', '%2f..%2fpull', ';pull'),
    )
    .map(([name, rest]) => `/api/${name}${rest}`),
  fc
    .tuple(
      fc.constantFrom('/api//', '/api/./', '/API/', '//api/', '/api%2f', '/v1/../api/', '/%61pi/'),
      fc.constantFrom(...closed),
    )
    .map(([start, name]) => `${start}${name}`),
  fc
    .constantFrom('files', 'fine_tuning/jobs', 'audio/speech', 'images/edits', 'moderations')
    .map((name) => `/v1/${name}`),
  fc.constantFrom('/debug/pprof', '/metrics', '/v2/', '/api', '/v1'),
);

/** Sends a path as it is: fetch would resolve dot segments. */
async function send(method: string, path: string): Promise<number> {
  const { request } = await import('node:http');
  return await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${relayKey}` };
    const sent = request(rig.url, { method, path: `/local${path}`, headers });
    sent.on('error', reject).on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.end();
  });
}

describe('the inference engine behind the relay', () => {
  it('gets no request that changes or leaks anything: 200 generated paths', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH');
    await fc.assert(
      fc.asyncProperty(method, paths, async (verb, path) => {
        expect(await send(verb, path)).toBe(404);
      }),
      { numRuns: 200 },
    );
    expect(stands.local.asked).toEqual([]);
  });

  it.each(open)('gets /api/%s with its own method only', async (name) => {
    const isRead = ['tags', 'ps', 'version'].includes(name);
    for (const method of [isRead ? 'POST' : 'GET', 'DELETE', 'PUT'])
      expect(await send(method, `/api/${name}`)).toBe(405);
    expect(stands.local.asked).toEqual([]);
  });

  it('gets no header of the client, and no request over the proxy of the route', async () => {
    const answer = await rig.ask('/local/api/chat', {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/x-ndjson' },
        ...{ 'x-api-key': relayKey, 'x-goog-api-key': relayKey, cookie: 'session=1' },
        ...{ 'x-forwarded-for': '203.0.113.7', 'openai-beta': 'x', 'idempotency-key': 'y' },
        ...{ 'x-client-request-id': 'z', 'user-agent': 'my browser', origin: 'https://x.example' },
      },
      body: '{"messages":[]}',
    });
    expect(answer.status).toBe(200);
    expect(Object.keys(stands.local.asked[0]?.headers ?? {}).sort()).toEqual([
      ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host'],
      'user-agent',
    ]);
    expect(proxy?.asked).toEqual([]);
  });

  it.each([
    ['application/json', '{"model":"m","keep_alive":0}', { model: 'm' }],
    ['audio/mpeg', '{"model":"m","Keep_Alive":-1}', { model: 'm' }],
    ['', '{"options":{"num_ctx":9,"seed":1}}', { options: { seed: 1 } }],
    ['', '{"options":{"top_k":1,"top_K":9}}', { options: { top_k: 1 } }],
  ])('gets no field that changes its models, in a body of type "%s"', async (type, body, rest) => {
    const headers = { 'content-type': type };
    await rig.ask('/local/api/generate', { method: 'POST', headers, body });
    const { body: got, headers: sent } = stands.local.asked.at(-1) ?? {};
    expect(JSON.parse(`${got}`)).toEqual(rest);
    expect(sent?.['content-length']).toBe(`${got?.length}`);
  });

  it('gets no body with a repeated field', async () => {
    const before = stands.local.asked.length;
    const body = '{"model":"m","stream":true,"stream":false}';
    const answer = await rig.ask('/local/api/generate', { method: 'POST', body });
    expect(await answer.text()).toContain('relay_request_invalid');
    expect(stands.local.asked).toHaveLength(before);
  });

  it('serves /v1 when it is the only provider', async () => {
    expect(await (await rig.ask('/v1/models')).json()).toMatchObject({
      data: [{ id: 'qwen3:8b' }],
    });
  });

  it('reports an unknown provider for a relay without local models', async () => {
    const other = await RelayRig.start();
    expect(await codeOf(await other.ask('/local/v1/models'))).toBe('relay_provider_unknown');
    await other.close();
  });
});
