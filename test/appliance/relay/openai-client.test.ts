import OpenAI, { AuthenticationError, RateLimitError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { HttpProxy } from '../../faulty-server/http-proxy.ts';
import { SocksProxy } from '../../faulty-server/socks-proxy.ts';
import { beginStream, event, Provider } from './provider.ts';
import { RelayRig, relayKey } from './rig.ts';

const host = 'provider.test';
const names = { [host]: '127.0.0.1' };
const login = 'me:a-proxy-password';
const authority = new CertificateAuthority();

/** Routes of a server, with the requests that the proxy received. */
const ways: Record<string, () => Promise<Way>> = {
  'without a proxy': async () => ({
    route: { mode: 'direct' },
    host: 'localhost',
    asked: () => [],
    close: async () => {},
  }),
  'through an HTTP proxy with credentials': async () => {
    const proxy = await HttpProxy.start({ login, names });
    const route = { mode: 'http-proxy' as const, url: proxy.url.replace('//', `//${login}@`) };
    return { route, host, asked: () => proxy.asked, close: () => proxy.close() };
  },
  'through SOCKS5 with credentials and name resolution': async () => {
    const proxy = await SocksProxy.start({ login, names });
    const route = { mode: 'socks5' as const, url: `socks5h://${login}@${proxy.host}` };
    return { route, host, asked: () => proxy.asked, close: () => proxy.close() };
  },
};

interface Way {
  readonly route:
    | { readonly mode: 'direct' }
    | { readonly mode: 'http-proxy' | 'socks5'; readonly url: string };
  readonly host: string;
  readonly asked: () => readonly string[];
  readonly close: () => Promise<void>;
}

describe.each(Object.entries(ways))(
  "OpenAI's client with a relay that connects %s",
  (_name, start) => {
    let way: Way;
    let rig: RelayRig;
    let client: OpenAI;
    beforeAll(async () => {
      way = await start();
      const provider = await Provider.start(authority.issue({ names: [way.host] }));
      const settings = {
        providers: { openai: { base_url: provider.base(way.host) } },
        route: way.route,
      };
      rig = await RelayRig.start(settings, { provider, ca: authority.cert });
      client = clientWith(relayKey);
    });
    afterAll(async () => {
      await rig.close();
      await way.close();
    });
    const clientWith = (apiKey: string) =>
      new OpenAI({ apiKey, baseURL: `${rig.url}/openai/v1`, maxRetries: 0 });
    const ask = { model: 'tiny', messages: [{ role: 'user' as const, content: 'one two three' }] };

    it('lists models', async () => {
      const { data } = await client.models.list();
      expect(data.map(({ id }) => id)).toEqual(['tiny']);
    });

    it('gets a completion', async () => {
      const { choices } = await client.chat.completions.create(ask);
      expect(choices[0]?.message.content).toBe('one two three');
    });

    it('gets a stream', async () => {
      const words: string[] = [];
      for await (const { choices } of await client.chat.completions.create({
        ...ask,
        stream: true,
      }))
        words.push(choices[0]?.delta.content ?? '');
      expect(words).toEqual(['one', 'two', 'three', '']);
    });

    it('can abort a stream', async () => {
      const left = rig.provider.clientLeft();
      rig.provider.answerNext((response) => {
        beginStream(response);
        response.write(event({ delta: { content: 'one' } }));
      });
      const stream = await client.chat.completions.create({ ...ask, stream: true });
      for await (const _piece of stream) stream.controller.abort();
      await expect(left).resolves.toBeUndefined();
    });

    it('reports a wrong key', async () => {
      await expect(clientWith('wrong').models.list()).rejects.toThrow(AuthenticationError);
      await expect(clientWith('wrong').models.list()).rejects.toMatchObject({
        status: 401,
        code: 'relay_key_invalid',
      });
    });

    it('reached the provider over this route only', () => {
      const places = new Set(way.asked().map((line) => line.replace('CONNECT ', '')));
      const expected = way.route.mode === 'direct' ? [] : [`${host}:${rig.provider.port}`];
      expect([...places]).toEqual(expected);
      expect(rig.provider.asked.length).toBeGreaterThan(3);
    });

    it('left no key and no proxy password in the log', () => {
      expect(JSON.stringify(rig.log)).not.toMatch(/relay-key-|sk-provider|a-proxy-password/);
    });
  },
);

describe("OpenAI's client", () => {
  it('waits for Retry-After and then succeeds', async () => {
    // 60 per minute: after two at once, the next is allowed within a second.
    const limits = { requests_per_minute: 60, concurrency: 1 };
    const rig = await RelayRig.start({
      keys: [{ name: 'me', sha256: sha256Hex(relayKey), limits }],
    });
    const baseURL = `${rig.url}/v1`;
    rig.provider.answerNext(beginStream);
    const leaving = new AbortController();
    await rig.chat('x', true, { signal: leaving.signal });
    const hasty = new OpenAI({ apiKey: relayKey, baseURL, maxRetries: 0 });
    await expect(hasty.models.list()).rejects.toThrow(RateLimitError);
    const patient = new OpenAI({ apiKey: relayKey, baseURL, maxRetries: 5 });
    const answer = patient.models.list();
    leaving.abort();
    expect((await answer).data).toHaveLength(1);
    await rig.close();
  });

  it('does not retry errors that are not retriable', async () => {
    const rig = await RelayRig.start({}, { keys: {} });
    const client = new OpenAI({ apiKey: relayKey, baseURL: `${rig.url}/v1`, maxRetries: 2 });
    await expect(client.models.list()).rejects.toMatchObject({ code: 'provider_key_missing' });
    expect(rig.log).toHaveLength(1);
    await rig.close();
  });
});

describe('a proxy that fails', () => {
  it.each([
    ['rejects CONNECT', { refusal: 403 }, 502, 'provider_unreachable'],
    ['requires other credentials', { login }, 502, 'provider_unreachable'],
    ['does not respond', { silent: true }, 504, 'provider_timeout'],
  ])(
    'reports a failing proxy, but not its address: it %s',
    async (_what, options, status, code) => {
      const proxy = await HttpProxy.start(options);
      const rig = await RelayRig.start({
        providers: { openai: { base_url: `https://${host}/v1` } },
        route: { mode: 'http-proxy', url: proxy.url },
        timeouts: { connect: 0.3 },
      });
      const answer = await rig.ask('/v1/models');
      expect(answer.status).toBe(status);
      const text = await answer.text();
      expect(text).toContain(code);
      expect(text).not.toContain('127.0.0.1');
      await rig.close();
      await proxy.close();
    },
  );

  it.each(['engine', 'llm.office.test'])(
    'bypasses the proxy for exempt hosts: %s',
    async (near) => {
      const proxy = await HttpProxy.start({ refusal: 403 });
      const rig = await RelayRig.start({
        providers: { near: { base_url: `http://${near}:9/v1`, key_env: 'OPENAI_API_KEY' } },
        route: { mode: 'http-proxy', url: proxy.url, no_proxy: ['.office.test'] },
      });
      expect((await rig.ask('/v1/models')).status).toBe(502);
      expect(proxy.asked).toEqual([]);
      await rig.close();
      await proxy.close();
    },
  );
});

describe('a provider whose certificate', () => {
  it.each([
    ['is not trusted', {}, undefined],
    ['is for another name', { names: ['other.test'], addresses: [] }, authority.cert],
    ['has expired', { days: -1 }, authority.cert],
  ])('%s does not get the key', async (_what, wanted, ca) => {
    const provider = await Provider.start(authority.issue(wanted));
    const rig = await RelayRig.start(
      { providers: { openai: { base_url: provider.base('localhost') } } },
      { provider, ...(ca ? { ca } : {}) },
    );
    const answer = await rig.ask('/v1/models');
    expect(answer.status).toBe(502);
    expect(rig.log[0]).toMatchObject({ cause: 'NETWORK_TLS' });
    expect(provider.asked).toEqual([]);
    await rig.close();
  });
});
