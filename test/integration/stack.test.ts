import { randomBytes } from 'node:crypto';
import { type ClientRequest, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ollama } from 'ollama';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything, stackInput } from '../appliance/stack/stack-input.ts';
import { putTinyModel } from '../stand-ins/engine/put-tiny-model.ts';
import { type Provider, startProvider } from '../stand-ins/provider/provider.ts';
import { needs } from './needs.ts';
import { StackRig } from './stack-rig.ts';

const real = needs('engine', 'stackRegistry', 'composePlugin');

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

real.describe('the stack that Landfall ships', () => {
  const providerKey = `sk-${randomBytes(12).toString('hex')}`;
  const input = stackInput(
    { ...everything, providers: {} },
    { server: { memory: 4 * 1024 ** 3, cpus: 2 } },
  );
  let provider: Provider;
  /** Words that arrived here; the provider goes on when the last one did. */
  let words = Number.POSITIVE_INFINITY;
  const heard = async (said: number) => {
    while (words < said) await sleep(10);
  };
  let rig: StackRig;
  let secrets: Record<string, string>;

  /** Asks the gateway, as a browser would that finds the name there. */
  const ask = async (url: string, asked: Asked = {}): Promise<Answer> =>
    await answerOf(begin(new URL(url), await rig.address('gateway'), asked));

  function begin(url: URL, address: string, { method = 'GET', headers, body }: Asked) {
    const options = {
      host: address,
      path: url.pathname + url.search,
      method,
      headers: { host: url.host, ...headers },
      agent: false,
    };
    const sent =
      url.protocol === 'http:'
        ? plainRequest(options)
        : secureRequest({
            ...options,
            servername: url.hostname,
            ca: rig.authority.cert,
            // Nobody vouches for the pair that names nobody.
            rejectUnauthorized: url.hostname.endsWith('.example.com'),
          });
    return sent.end(body);
  }

  beforeAll(async () => {
    const address = ownAddress();
    provider = await startProvider({ key: providerKey, host: address, after: heard });
    const site = { ...everything, providers: { openai: { base_url: provider.baseUrl } } };
    const whole = stackInput(site, { server: input.server });
    secrets = { ...whole.secrets, OPENAI_API_KEY: providerKey };
    rig = await StackRig.prepare({
      engine: real.engine,
      registry: real.stackRegistry,
      composePlugin: real.composePlugin,
      input: { ...whole, secrets },
    });
    await rig.compose('up', '--detach', '--wait', '--wait-timeout', '300');
  });
  afterAll(async () => {
    await provider?.close();
    await rig?.close();
  });

  describe('once it is up', () => {
    it('has started the engine before the UI, and the gateway after it (SPEC 3.3)', async () => {
      const started = await Promise.all(
        (['engine', 'ui', 'gateway'] as const).map((name) => rig.startedAt(name)),
      );
      expect(started).toEqual(started.toSorted());
    });

    it('brings a container back that somebody killed (SPEC 3.3)', async () => {
      const before = await rig.engine.getContainer('landfall-lobe').inspect();
      process.kill(before.State.Pid, 'SIGKILL');
      await expect
        .poll(async () => {
          const { State } = await rig.engine.getContainer('landfall-lobe').inspect();
          return State.Running && State.Pid !== before.State.Pid;
        }, waiting)
        .toBe(true);
      await expect
        .poll(async () => (await ask('https://lobe.example.com/')).status, waiting)
        .toBe(200);
    });

    it('takes rights from every container', async () => {
      for (const { Id } of await rig.engine.listContainers()) {
        const { HostConfig, Name } = await rig.engine.getContainer(Id).inspect();
        expect(HostConfig.CapDrop, Name).toEqual(['ALL']);
        expect(HostConfig.CapAdd ?? [], Name).toEqual([]);
        expect(HostConfig.SecurityOpt, Name).toContain('no-new-privileges:true');
        expect(HostConfig.Memory, Name).toBeGreaterThan(0);
        expect(HostConfig.PidsLimit, Name).toBeGreaterThan(0);
        if (Name !== '/landfall-ui') expect(HostConfig.ReadonlyRootfs, Name).toBe(true);
        for (const bind of HostConfig.Binds ?? []) expect(bind).not.toContain('docker.sock');
      }
    });

    it('runs the certificate client when somebody asks, and only then', async () => {
      expect(await rig.compose('run', '--rm', 'acme', '--version')).toMatch(/^certbot \d/m);
      const names = (await rig.engine.listContainers({ all: true })).flatMap(({ Names }) => Names);
      expect(names.filter((name) => name.includes('acme'))).toEqual([]);
    });

    it('starts again exactly the part whose files changed', async () => {
      const parts = ['engine', 'ui', 'chat', 'lobe', 'relay', 'tinyproxy', 'gateway'] as const;
      const started = async () =>
        Object.fromEntries(
          await Promise.all(parts.map(async (name) => [name, await rig.startedAt(name)] as const)),
        );
      const before = await started();
      secrets = { ...secrets, TINYPROXY_PASSWORD: 'another-password' };
      await rig.render({ ...rig.input, secrets });
      await rig.compose('up', '--detach', '--wait', '--wait-timeout', '120');
      const after = await started();
      expect(parts.filter((name) => after[name] !== before[name])).toEqual(['tinyproxy']);
    });

    it('shows no secret to whoever may ask Docker, in logs or in the list of processes', async () => {
      const seen = await rig.everythingDockerShows();
      expect(seen.length).toBeGreaterThan(10_000);
      for (const [name, value] of Object.entries(secrets)) {
        expect(seen.includes(value), name).toBe(false);
      }
    });
  });

  describe('its networks', () => {
    const reach = async (from: 'chat' | 'ui' | 'lobe', url: string) => {
      const script = `fetch('${url}', { signal: AbortSignal.timeout(4000) }).then((r) => console.log(r.status), (e) => console.log(e.cause?.code ?? e.name))`;
      return (await rig.exec(from, 'node', '-e', script)).output.trim();
    };

    it('let the UI use the engine', async () => {
      expect(await reach('ui', 'http://engine:11434/api/version')).toBe('200');
    });

    it.each(['chat', 'lobe', 'relay', 'gateway'] as const)(
      'have no network in common for the engine and %s, save the way out',
      async (name) => {
        const engine = await rig.networksOf('engine');
        const shared = (await rig.networksOf(name)).filter((each) => engine.includes(each));
        expect(shared).toEqual(name === 'relay' ? ['landfall_outside'] : []);
      },
    );

    it('let no front-end find the engine, whose pages may be abused to ask it', async () => {
      expect(await reach('chat', 'http://engine:11434/api/version')).not.toMatch(/^\d+$/);
    });

    it('let the front-ends use the relay', async () => {
      expect(await reach('chat', 'http://relay:8080/v1/models')).toBe('401');
    });

    it('have the gateway, the UI and the front-ends in none that leads out', async () => {
      for (const name of ['gateway', 'ui', 'chat', 'lobe'] as const) {
        expect(await rig.networksOf(name)).not.toContain('landfall_outside');
      }
    });
  });

  describe('its gateway', () => {
    it.each(Object.values(everything.hosts))('sends http://%s to https with 301', async (name) => {
      const { status, headers } = await ask(`http://${name}/some/path?x=1`);
      expect([status, headers.location]).toEqual([301, `https://${name}/some/path?x=1`]);
    });

    it.each([
      'http://other.example.org/',
      'https://other.example.org/',
      'http://203.0.113.7/',
      'https://203.0.113.7/',
    ])('refuses %s with 403 (SPEC 7)', async (url) => {
      expect((await ask(url)).status).toBe(403);
    });

    it('says that it is well to whoever asks by no name, and by proxy.local', async () => {
      for (const host of ['203.0.113.7', 'proxy.local']) {
        const { status, text } = await ask(`http://${host}/.well-known/landfall/health`);
        expect([status, text]).toEqual([200, 'ok\n']);
      }
    });

    it('hands out answers for the certificate authority, before it redirects', async () => {
      await rig.putChallenge('token-1', 'answer-1');
      const { status, text } = await ask(
        'http://chat.example.com/.well-known/acme-challenge/token-1',
      );
      expect([status, text]).toEqual([200, 'answer-1']);
    });

    it('does not promise TLS for ever while its certificate is a makeshift', async () => {
      const { headers } = await ask('https://chat.example.com/');
      expect(headers['strict-transport-security']).toBeUndefined();
    });

    it('promises it once the certificate is good, after a reload that drops nobody', async () => {
      await rig.render({ ...rig.input, trustedCertificate: true });
      expect((await rig.exec('gateway', 'kill', '-HUP', '1')).code).toBe(0);
      await expect
        .poll(async () => {
          const { headers } = await ask('https://chat.example.com/');
          return headers['strict-transport-security'];
        }, waiting)
        .toBe('max-age=31536000');
    });

    it('gives pages as HTML, and as Markdown to who asks for that (SPEC 4, E7)', async () => {
      const page = 'https://docs.example.com/agents/relay';
      const get = async (url: string, accept: string) => {
        const { status, headers, text } = await ask(url, { headers: { accept } });
        return [status, headers['content-type'], headers.vary, text.slice(0, 2)];
      };
      const markdown = [200, 'text/markdown; charset=utf-8', 'Accept', '# '];
      const html = [200, 'text/html; charset=utf-8', 'Accept', '<!'];
      expect(await get(`${page}.md`, 'text/markdown')).toEqual(markdown);
      expect(await get(page, 'text/markdown')).toEqual(markdown);
      expect(await get(page, 'text/markdown, text/html;q=0.8')).toEqual(markdown);
      expect(await get(page, 'text/html,application/xhtml+xml')).toEqual(html);
      expect(await get(page, '*/*')).toEqual(html);
      expect((await ask('https://docs.example.com/llms.txt')).text).toContain('/agents/relay.md');
      expect((await ask('https://docs.example.com/agents/none')).status).toBe(404);
    });
  });

  describe('its chat UI', () => {
    const signIn = (password: string) =>
      ask('https://chat.example.com/api/v1/auths/signin', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ops@example.org', password }),
      });

    it('has its administrator already, and tells nobody that it has none', async () => {
      const { status, text, headers } = await signIn(secrets.WEBUI_ADMIN_PASSWORD ?? '');
      expect([status, JSON.parse(text).role]).toEqual([200, 'admin']);
      expect(String(headers['set-cookie'])).toMatch(/; SameSite=strict; Secure/);
      const { text: config } = await ask('https://chat.example.com/api/config');
      expect(JSON.parse(config).onboarding).toBeUndefined();
    });

    it('lets nobody sign up', async () => {
      const { status } = await ask('https://chat.example.com/api/v1/auths/signup', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'eve@example.org', password: 'x', name: 'Eve' }),
      });
      expect(status).toBe(403);
    });

    it('holds back who guesses passwords', async () => {
      const statuses = await Promise.all(Array.from({ length: 40 }, () => signIn('guess')));
      expect(statuses.map(({ status }) => status)).toContain(429);
    });

    it('speaks over a WebSocket through TLS', async () => {
      const { status, text } = await upgrade('https://chat.example.com');
      expect(status).toBe(101);
      expect(text).toContain('"pingInterval"');
    });

    it('takes no WebSocket from a page of another site', async () => {
      expect((await upgrade('https://chat.example.com', 'https://evil.example')).status).toBe(403);
    });

    it('chats with a model that lies in the engine (SPEC 4, E1 and E2)', async () => {
      const engine = new Ollama({ host: `http://${await rig.address('engine', 'models')}:11434` });
      expect((await engine.list()).models).toEqual([]);
      await putTinyModel(await rig.volumeFolder('engine-data', 'models'), 'tiny:1b');
      const { token } = JSON.parse((await signInOnceAllowed(signIn, secrets)).text);
      const headers = { authorization: `Bearer ${token}` };
      const { text: models } = await ask('https://chat.example.com/api/models', { headers });
      expect(JSON.parse(models).data).toMatchObject([{ id: 'tiny:1b', owned_by: 'ollama' }]);
      const { status, text } = await ask('https://chat.example.com/api/chat/completions', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'tiny:1b',
          max_tokens: 8,
          messages: [{ role: 'user', content: 'Hi' }],
        }),
      });
      expect(status).toBe(200);
      expect(JSON.parse(text).choices[0].message.content.length).toBeGreaterThan(0);
    });
  });

  describe('its front-ends', () => {
    const chatBody = JSON.stringify({ model: 'm', stream: true, messages: [] });

    it('want their access codes', async () => {
      const { text } = await ask('https://next.example.com/api/config');
      expect(JSON.parse(text)).toMatchObject({ needCode: true, hideUserApiKey: true });
      const refused = await ask('https://next.example.com/api/openai/v1/models');
      expect(refused.status).toBe(401);
    });

    it('stream what a provider says, event by event, with the key that only the relay has', async () => {
      // Whoever on the way held a word back would wait for the next one for ever.
      words = 0;
      let soFar = '';
      const sent = begin(
        new URL('https://next.example.com/api/openai/v1/chat/completions'),
        await rig.address('gateway'),
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer nk-${secrets.CHAT_ACCESS_CODE}`,
          },
          body: chatBody,
        },
      );
      const { status, text } = await answerOf(sent, (piece) => {
        soFar += piece;
        words = [...soFar.matchAll(/"content":" ?\w/g)].length;
      });
      expect([status, text.trimEnd().endsWith('data: [DONE]')]).toEqual([200, true]);
      expect(provider.received.at(-1)?.headers.authorization).toBe(`Bearer ${providerKey}`);
    });

    it('answer through the relay on the other page as well', async () => {
      const { status, text } = await ask('https://lobe.example.com/webapi/chat/openai', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-lobe-chat-auth': secrets.LOBE_ACCESS_CODE ?? '',
        },
        body: JSON.stringify({ model: 'm', messages: [] }),
      });
      expect([status, JSON.parse(text).choices[0].message.content]).toEqual([
        200,
        'Hello from the provider',
      ]);
    });

    it.each([
      '/api/anything/at/all',
      '/api/proxy/x',
      '/api/webdav/x',
      '/google-fonts/x',
      '/sharegpt',
    ])('have %s cut off, which leaks or relays', async (path) => {
      const { status } = await ask(`https://next.example.com${path}`, {
        headers: { 'x-base-url': `${provider.baseUrl}/api.openai.com` },
      });
      expect(status).toBe(403);
    });

    it('never see where a visitor wants them to fetch from', async () => {
      const before = provider.received.length;
      await ask('https://next.example.com/api/openai/v1/models', {
        headers: {
          'x-base-url': `${provider.baseUrl}/api.openai.com`,
          authorization: `Bearer nk-${secrets.CHAT_ACCESS_CODE}`,
        },
      });
      const paths = provider.received.slice(before).map(({ path }) => path);
      expect(paths).toEqual(['/v1/models']);
    });

    it.each(['next', 'lobe'])('get no upgrade passed on to %s (CVE-2026-44578)', async (name) => {
      expect((await upgrade(`https://${name}.example.com`)).status).not.toBe(101);
    });
  });

  describe('its relay', () => {
    const models = (key: string) =>
      ask('https://api.example.com/openai/v1/models', {
        headers: { authorization: `Bearer ${key}` },
      });

    it('answers to its own key and to no other', async () => {
      expect((await models(secrets.RELAY_KEY_OWNER ?? '')).status).toBe(200);
      expect((await models('wrong')).status).toBe(401);
      expect((await models(providerKey)).status).toBe(401);
    });
  });

  describe('its proxy', () => {
    const account = () =>
      Buffer.from(`${secrets.TINYPROXY_USERNAME}:${secrets.TINYPROXY_PASSWORD}`).toString('base64');
    const connect = async (target: string, authorization?: string) => {
      const sent = plainRequest({
        host: await rig.address('tinyproxy', 'outside'),
        port: 8888,
        method: 'CONNECT',
        path: target,
        headers: authorization ? { 'proxy-authorization': `Basic ${authorization}` } : {},
      }).end();
      return await new Promise<number>((resolve, reject) => {
        sent.once('error', reject).once('connect', (response, socket) => {
          socket.destroy();
          resolve(response.statusCode ?? 0);
        });
      });
    };

    it('wants credentials', async () => {
      expect(await connect('api.openai.com:443')).toBe(407);
      expect(await connect('api.openai.com:443', Buffer.from('a:b').toString('base64'))).toBe(401);
    });

    it.each([
      '169.254.169.254:443',
      '[fd00:ec2::254]:443',
      'engine:443',
      '10.0.0.1:443',
      '2852039166:443',
      'example.org:443',
      'api.openai.com:80',
      'api.openai.com:22',
    ])('refuses to connect to %s', async (target) => {
      expect(await connect(target, account())).toBe(403);
    });
  });

  async function upgrade(origin: string, from = origin) {
    const url = new URL('/ws/socket.io/?EIO=4&transport=websocket', origin);
    const sent = begin(url, await rig.address('gateway'), {
      headers: {
        origin: from,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    });
    return await new Promise<{ status: number; text: string }>((resolve, reject) => {
      sent.once('error', reject);
      sent.once('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, text: '' });
      });
      sent.once('upgrade', (_response, socket, head) => {
        const done = (bytes: Buffer) => {
          socket.destroy();
          resolve({ status: 101, text: bytes.toString('utf8') });
        };
        if (head.length > 0) done(head);
        else socket.once('data', done);
      });
    });
  }
});

const waiting = { timeout: 60_000, interval: 200 };

/** An address of this machine that containers can reach. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const own = all.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (!own) throw new Error('this machine has no address but loopback');
  return own.address;
}

async function answerOf(
  sent: ClientRequest,
  onPiece: (piece: string) => void = () => {},
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => {
        onPiece(piece.toString('utf8'));
        pieces.push(piece);
      });
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: Buffer.concat(pieces).toString('utf8') });
      });
    });
  });
}

/** The gateway forgets those who guessed at one a second. */
async function signInOnceAllowed(
  signIn: (password: string) => Promise<Answer>,
  secrets: Readonly<Record<string, string>>,
): Promise<Answer> {
  for (;;) {
    const answer = await signIn(secrets.WEBUI_ADMIN_PASSWORD ?? '');
    if (answer.status !== 429) return answer;
    await sleep(500);
  }
}
