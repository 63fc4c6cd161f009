import { Agent, type IncomingMessage, request } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { beginStream, event, json, Provider, providerKey } from './provider.ts';
import { codeOf, RelayRig, relayKey } from './rig.ts';

let rig: RelayRig;
beforeEach(async () => {
  rig = await RelayRig.start();
});
afterEach(() => rig.close());

/** Restarts the rig with other settings. */
async function again(...args: Parameters<typeof RelayRig.start>): Promise<void> {
  await rig.close();
  rig = await RelayRig.start(...args);
}

describe('a request with a relay key', () => {
  it('forwards a request with a relay key with the provider key instead', async () => {
    const answer = await rig.ask('/v1/models');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ object: 'list', data: [{ id: 'tiny' }] });
    expect(rig.provider.asked[0]?.headers.authorization).toBe(`Bearer ${providerKey}`);
  });

  it('forwards a request with an identical body and length', async () => {
    const body = Buffer.from('{"messages": [{"content":"ä \\u00e4"}],\n  "stream":false}');
    await rig.ask('/v1/chat/completions', { method: 'POST', body });
    expect(rig.provider.asked[0]?.body).toEqual(body);
    expect(rig.provider.asked[0]?.headers['content-length']).toBe(`${body.length}`);
  });

  it('forwards a request with its query', async () => {
    await rig.ask('/v1/models?limit=2&after=x%20y');
    expect(rig.provider.asked[0]?.url).toBe('/v1/models?limit=2&after=x%20y');
  });

  it('may write Bearer in any case', async () => {
    const answer = await rig.ask('/v1/models', {
      headers: { authorization: `bearer ${relayKey}` },
    });
    expect(answer.status).toBe(200);
  });
});

describe('a GET with a body', () => {
  it('forwards a GET without its body', async () => {
    const sent = request(`${rig.url}/v1/models`, {
      method: 'GET',
      headers: { authorization: `Bearer ${relayKey}`, 'content-length': 2 },
    }).end('{}');
    const status = await new Promise((resolve) =>
      sent.on('response', ({ statusCode }) => resolve(statusCode)),
    );
    expect(status).toBe(200);
    expect(rig.provider.asked[0]?.headers).not.toHaveProperty('content-length');
  });
});

describe('a connection', () => {
  /** Sends sequential requests over one connection. @returns the statuses */
  async function overOne(...wishes: ReadonlyArray<{ path: string; body: string; key: string }>) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statuses: unknown[] = [];
    const sockets = new Set<unknown>();
    for (const { path, body, key } of wishes) {
      const sent = request(`${rig.url}${path}`, {
        ...{ method: 'POST', agent },
        headers: { authorization: `Bearer ${key}`, 'content-length': Buffer.byteLength(body) },
      }).end(body);
      sent.on('socket', (socket) => sockets.add(socket)).on('error', () => {});
      const response = await new Promise<IncomingMessage>((resolve) =>
        sent.on('response', resolve),
      );
      statuses.push(response.statusCode);
      for await (const _chunk of response);
    }
    agent.destroy();
    return { statuses, connections: sockets.size };
  }
  const wish = { path: '/v1/chat/completions', key: relayKey };
  const body = '{"messages":[{"content":"x"}]}';

  it('stays open after a refusal with an unread body', async () => {
    const refused = { ...wish, path: '/v1/unknown', body: 'x'.repeat(10_000) };
    expect(await overOne(refused, { ...wish, body })).toEqual({
      statuses: [404, 200],
      connections: 1,
    });
  });

  // Clients without a key could otherwise hold all connections open for a minute.
  it('closes after a refused key', async () => {
    expect(await overOne({ ...wish, body, key: 'wrong' }, { ...wish, body })).toEqual({
      statuses: [401, 200],
      connections: 2,
    });
  });
});

describe('a request without a valid key', () => {
  it.each([
    ['no key', undefined, 'relay_key_missing'],
    ['an empty key', 'Bearer ', 'relay_key_invalid'],
    ['a wrong key', 'Bearer relay-key-0123456788', 'relay_key_invalid'],
    ['a longer key', `Bearer ${relayKey}x`, 'relay_key_invalid'],
    ['the key of the provider', `Bearer ${providerKey}`, 'relay_key_invalid'],
    ['the hash of the key', `Bearer ${sha256Hex(relayKey)}`, 'relay_key_invalid'],
    ['another scheme', `Digest ${relayKey}`, 'relay_key_invalid'],
    ['Basic with another password', `Basic ${btoa(`${relayKey}:x`)}`, 'relay_key_invalid'],
    ['Basic without a password', `Basic ${btoa(relayKey)}`, 'relay_key_invalid'],
    ['Basic that is no base64', 'Basic ***', 'relay_key_invalid'],
  ])('rejects a request without a valid key: %s', async (_what, authorization, code) => {
    const answer = await fetch(`${rig.url}/v1/models`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(await codeOf(answer)).toBe(code);
    expect(rig.provider.asked).toEqual([]);
  });

  it('gets no information about paths and providers', async () => {
    for (const path of [
      '/',
      '/v1/models',
      '/v1/nothing',
      '/openai/v1/models',
      '/other/v1/models',
    ]) {
      expect((await fetch(`${rig.url}${path}`)).status).toBe(401);
    }
  });

  it('rejects a request without a valid key before its body is read', async () => {
    const sent = request(`${rig.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-length': 10_000_000_000 },
    });
    const status = await new Promise((resolve, reject) => {
      sent.on('response', (response) => resolve(response.statusCode)).on('error', reject);
      sent.write('{');
    });
    sent.destroy();
    expect(status).toBe(401);
  });
});

describe('a path outside of the allowed endpoints', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1/files',
    '/v1/files/file-1/content',
    '/v1/batches',
    '/v1/fine_tuning/jobs',
    '/v1/dashboard/billing/usage',
    '/v1/organization/users',
    '/v1/chat/completions/c1',
    '/v1/models/../files',
    '/v1/models/%2e%2e/files',
    '/v1/models/..%2ffiles',
    '/V1/models',
    '/third/models/tiny',
    '/openai/files',
    '/v1/models;x',
  ])('refuses a path outside of the allowed endpoints: %s', async (path) => {
    const answer = await rig.ask(path);
    expect(answer.status).toBe(404);
    expect(await codeOf(answer)).toBe('relay_path_unknown');
    expect(rig.provider.asked).toEqual([]);
  });

  it('refuses an allowed endpoint with another method', async () => {
    const answer = await rig.ask('/v1/models/tiny', { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET');
  });

  it('refuses a request for an absolute URL', async () => {
    const sent = request(rig.url, { path: `${rig.provider.base()}/models` }).end();
    const status = await new Promise((resolve) =>
      sent.on('response', ({ statusCode }) => resolve(statusCode)),
    );
    expect(status).toBe(400);
    expect(rig.provider.asked).toEqual([]);
  });

  it('refuses a request with a long query', async () => {
    expect((await rig.ask(`/v1/models?${'x'.repeat(3000)}`)).status).toBe(400);
  });
});

describe('several providers', () => {
  let second: Provider;
  beforeEach(async () => {
    second = await Provider.start();
    await again(
      {
        providers: {
          openai: { base_url: rig.provider.base() },
          other: { base_url: `${second.base()}/`, key_env: 'OF_ANOTHER' },
        },
        keys: [
          { name: 'me', sha256: sha256Hex(relayKey) },
          { name: 'guest', sha256: sha256Hex('guest'), providers: ['other'] },
        ],
      },
      { keys: { OPENAI_API_KEY: 'first', OF_ANOTHER: providerKey } },
    );
  });
  afterEach(() => second.close());

  it('uses separate base paths and keys for several providers', async () => {
    expect((await rig.ask('/other/v1/models')).status).toBe(200);
    expect(second.asked[0]?.url).toBe('/v1/models');
    expect(second.asked[0]?.headers.authorization).toBe(`Bearer ${providerKey}`);
  });

  it('rejects unknown names of providers', async () => {
    const answer = await rig.ask('/third/v1/models');
    expect(answer.status).toBe(404);
    expect(await codeOf(answer)).toBe('relay_provider_unknown');
    expect(await codeOf(await rig.ask('/constructor/v1/models'))).toBe('relay_provider_unknown');
  });

  it('offers a provider to allowed keys only', async () => {
    const headers = { authorization: 'Bearer guest' };
    expect((await rig.ask('/other/v1/models', { headers })).status).toBe(200);
    const answer = await rig.ask('/openai/v1/models', { headers });
    expect(answer.status).toBe(400);
    expect(await codeOf(answer)).toBe('relay_provider_forbidden');
    expect((await rig.ask('/v1/models', { headers })).status).toBe(200);
    expect(rig.provider.asked).toEqual([]);
  });
});

describe('a provider', () => {
  it('without a key has another error than a failed one', async () => {
    await again({}, { keys: { OPENAI_API_KEY: ' \n' } });
    const answer = await rig.ask('/v1/models');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(await codeOf(answer)).toBe('provider_key_missing');
  });

  it('that rejects the key does not cause a 401, and its message is not forwarded', async () => {
    await again({}, { keys: { OPENAI_API_KEY: 'sk-an-old-one-0123456789' } });
    const answer = await rig.ask('/v1/models');
    expect(answer.status).toBe(502);
    const text = await answer.text();
    expect(text).toContain('provider_key_refused');
    expect(text).not.toContain('an-old-one');
    expect(text).toContain('rejected the key of the relay: set OPENAI_API_KEY of the relay');
  });

  it.each([301, 302, 303, 307, 308])('that redirects is not followed: %i', async (status) => {
    rig.provider.answerNext((response) => {
      response.writeHead(status, { location: 'http://169.254.169.254/latest/' }).end();
    });
    const answer = await rig.ask('/v1/models');
    expect(answer.status).toBe(502);
    expect(answer.headers.has('location')).toBe(false);
    expect(await codeOf(answer)).toBe('provider_redirect');
    expect(rig.provider.asked).toHaveLength(1);
  });

  it('that is unreachable is reported without its address', async () => {
    await again({ providers: { openai: { base_url: 'http://127.0.0.1:9/v1' } } });
    const answer = await rig.ask('/v1/models');
    expect(answer.status).toBe(502);
    const text = await answer.text();
    expect(text).toContain('provider_unreachable');
    expect(text).not.toContain('127.0.0.1');
    expect(rig.log.at(-1)).toMatchObject({ cause: 'NETWORK_UNREACHABLE', status: 502 });
  });

  it('that does not respond times out', async () => {
    await again({ timeouts: { first_byte: 0.2 } });
    rig.provider.answerNext(() => {});
    const answer = await rig.ask('/v1/models');
    expect(answer.status).toBe(504);
    expect(await codeOf(answer)).toBe('provider_timeout');
  });

  it('that returns an error is quoted with its status', async () => {
    const error = { message: 'Too many tokens', type: 'tokens', param: null, code: 'rate_limit' };
    rig.provider.answerNext(json(429, { error }, { 'retry-after': '7' }));
    const answer = await rig.chat('x');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(await answer.json()).toEqual({ error });
  });
});

describe('headers', () => {
  it('drops headers of the client, except those of the API', async () => {
    await rig.ask('/v1/models', {
      headers: {
        accept: 'application/json',
        'openai-beta': 'assistants=v2',
        'openai-organization': 'org-mine',
        cookie: 'session=1',
        'x-forwarded-for': '203.0.113.7',
        'x-base-url': 'https://evil.example',
        'x-real-ip': '203.0.113.7',
        referer: 'https://chat.example.com/',
        'user-agent': 'my browser',
      },
    });
    expect(Object.keys(rig.provider.asked[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
      'openai-beta',
      'user-agent',
    ]);
    expect(rig.provider.asked[0]?.headers['user-agent']).toBe('landfall-relay');
  });

  it('drops headers of the provider, except those that clients need', async () => {
    rig.provider.answerNext(
      json(
        200,
        {},
        {
          'set-cookie': 'tracking=1',
          'openai-organization': 'org-of-the-owner',
          'x-ratelimit-remaining-tokens': '5',
          'x-request-id': 'req-1',
          server: 'something/1.2',
          'access-control-allow-origin': '*',
          'alt-svc': 'h3=":443"',
        },
      ),
    );
    const answer = await rig.ask('/v1/models');
    const names = [...answer.headers.keys()].filter(
      (name) => !['connection', 'content-length', 'date', 'keep-alive'].includes(name),
    );
    expect(names.sort()).toEqual([
      'cache-control',
      'content-type',
      'x-accel-buffering',
      'x-content-type-options',
      'x-request-id',
    ]);
  });
});

describe('the key in a response of a provider', () => {
  const leak = `Bearer ${providerKey}`;

  it.each([
    ['x-request-id', `req-${providerKey}`],
    ['x-request-id', 'req-gsk_abcdefgh1234'],
    ['retry-after', providerKey],
    ['retry-after-ms', `7; ${providerKey}`],
    ['content-disposition', `attachment; filename="${providerKey}.txt"`],
    ['openai-version', providerKey],
    ['openai-processing-ms', providerKey],
    ['x-should-retry', providerKey],
    ['content-type', `application/json; x="${providerKey}"`],
  ])('redacts the provider key in %s: %s', async (name, value) => {
    for (const status of [200, 429]) {
      rig.provider.answerNext(json(status, {}, { [name]: value }));
      const answer = await rig.ask('/v1/models');
      expect(answer.status).toBe(status);
      expect(JSON.stringify([...answer.headers])).not.toMatch(/sk-provider|gsk_/);
    }
  });

  it.each([
    ['retry-after', '7'],
    ['retry-after', 'Sat, 21 Nov 2026 07:35:30 GMT'],
    ['retry-after-ms', '250.5'],
    ['x-request-id', 'req_0a1b-2c:3d'],
    ['content-disposition', 'attachment; filename="speech.mp3"'],
    ['content-type', 'text/event-stream;charset=utf-8'],
    ['openai-processing-ms', '12'],
    ['openai-version', '2020-10-01'],
    ['x-should-retry', 'true'],
  ])('does not affect a valid %s: %s', async (name, value) => {
    rig.provider.answerNext(json(200, {}, { [name]: value }));
    expect((await rig.ask('/v1/models')).headers.get(name)).toBe(value);
  });

  it.each([
    ['x-request-id', 'acme corp'],
    ['retry-after', 'the quota of acme'],
    ['content-disposition', 'attachment; filename="a"; account=acme'],
  ])('cannot be in free text of %s: %s', async (name, value) => {
    rig.provider.answerNext(json(200, {}, { [name]: value }));
    expect((await rig.ask('/v1/models')).headers.get(name)).toBeNull();
  });

  it('redacts the provider key in a response of the same length', async () => {
    rig.provider.answerNext(json(200, { data: [], headers: { authorization: leak } }));
    const answer = await rig.ask('/v1/models');
    const text = await answer.text();
    expect(text).toContain('Bearer ****');
    expect(text).not.toContain(providerKey);
    expect(Number(answer.headers.get('content-length'))).toBe(text.length);
  });

  it.each(['gzip', 'x-gzip', 'deflate', 'GZIP', 'br'])(
    'redacts the provider key in a response with encoding %s',
    async (encoding) => {
      const packs = { deflate: deflateSync, br: brotliCompressSync };
      const { [encoding]: pack = gzipSync }: Record<string, typeof gzipSync> = packs;
      rig.provider.answerNext((response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding });
        response.end(pack(leak));
      });
      const answer = await rig.ask('/v1/models');
      expect(answer.headers.get('content-encoding')).toBeNull();
      expect(await answer.text()).toBe(`Bearer ${'*'.repeat(providerKey.length)}`);
    },
  );

  it.each(['compress', 'gzip, gzip', 'x'])(
    'cannot leak in a response with encoding %s',
    async (encoding) => {
      rig.provider.answerNext((response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(leak);
      });
      const answer = await rig.ask('/v1/models');
      expect(answer.status).toBe(502);
      expect(await codeOf(answer)).toBe('provider_encoding_unknown');
    },
  );

  it('redacts the provider key in an error inside of a stream', async () => {
    const failure = { error: { message: `Incorrect API key: sk-prov****cdef, ${providerKey}` } };
    rig.provider.answerNext((response) => {
      beginStream(response);
      const data = `data: ${JSON.stringify(failure)}\n\n`;
      response.write(event({ delta: { content: 'one' } }) + data.slice(0, 60));
      response.end(data.slice(60));
    });
    const text = await (await rig.chat('x', true)).text();
    expect(text).toContain('"one"');
    expect(text).toContain('Incorrect API key: *****');
    expect(text).not.toMatch(/sk-prov|cdef/);
  });
});

describe('the health endpoint', () => {
  it('responds without a key and contacts no provider', async () => {
    const answer = await fetch(`${rig.url}/health`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok' });
    expect(rig.provider.asked).toEqual([]);
    expect(rig.log).toEqual([]);
  });

  it('rejects other methods', async () => {
    expect((await fetch(`${rig.url}/health`, { method: 'POST' })).status).toBe(405);
  });
});

describe('the log', () => {
  it('logs one line per request with key, provider and endpoint', async () => {
    await (await rig.chat('hello there')).text();
    expect(rig.log).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        method: 'POST',
        key: 'me',
        provider: 'openai',
        endpoint: '/chat/completions',
        status: 200,
        ending: 'complete',
        headMs: expect.any(Number),
        totalMs: expect.any(Number),
        bytes: expect.any(Number),
      },
    ]);
    expect(rig.log[0]?.bytes).toBeGreaterThan(50);
  });

  it('contains no keys, queries or content', async () => {
    await (await rig.chat('my-secret-words')).text();
    await rig.ask('/v1/models?token=in-the-query');
    await rig.ask('/v1/strange-path-words');
    await rig.ask('/v1/models', { headers: { authorization: 'Bearer wrong-key-words' } });
    const text = JSON.stringify(rig.log);
    expect(rig.log).toHaveLength(4);
    for (const word of [relayKey, providerKey, 'my-secret', 'in-the-query', 'strange', 'wrong-key'])
      expect(text).not.toContain(word);
  });
});
