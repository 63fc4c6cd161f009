import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { beginStream, event, json, Provider, providerKey } from './provider.ts';
import { codeOf, relayKey } from './rig.ts';

/** The globals of an edge platform, without those of Node. */
const platform = {
  AbortController,
  AbortSignal,
  console: {
    log: (line: string) => void lines.push(line),
    error: (line: string) => void lines.push(line),
  },
  crypto,
  fetch,
  Headers,
  performance,
  ReadableStream,
  Request,
  Response,
  setTimeout,
  clearTimeout,
  TextDecoder,
  TextEncoder,
  TransformStream,
  URL,
};

const lines: string[] = [];
let script: string;
let metafile: Awaited<ReturnType<typeof bundleWorker>>['metafile'];
beforeAll(async () => {
  ({ script, metafile } = await bundleWorker());
});

/** Bundles the worker as the platform's tool does. */
async function bundleWorker() {
  const entry = fileURLToPath(new URL('../../../appliance/relay/worker.ts', import.meta.url));
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'iife',
    globalName: 'worker',
    write: false,
    metafile: true,
  });
  return { script: outputFiles[0]?.text ?? '', metafile };
}

interface Worker {
  fetch(request: Request, bindings: object): Promise<Response>;
}

let provider: Provider;
let worker: Worker;
let bindings: Record<string, string>;
beforeEach(async () => {
  provider = await Provider.start();
  lines.length = 0;
  worker = runInNewContext(`${script}; worker.default`, { ...platform }) as Worker;
  bindings = {
    RELAY_CONFIG: JSON.stringify({
      providers: { openai: { base_url: provider.base() } },
      keys: [{ name: 'me', sha256: sha256Hex(relayKey), limits: { requests_per_minute: 3 } }],
    }),
    OPENAI_API_KEY: providerKey,
  };
});
afterEach(() => provider.close());

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${relayKey}` };
  return worker.fetch(new Request(`https://relay.example${path}`, { headers, ...init }), bindings);
}

const question = JSON.stringify({
  model: 'tiny',
  stream: true,
  messages: [{ role: 'user', content: 'one two' }],
});

describe('the relay on an edge platform', () => {
  it('uses no API of Node', () => {
    const outside = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    );
    expect(outside).toEqual([]);
    expect(Object.keys(metafile.inputs).filter((path) => /undici|relay\/node/.test(path))).toEqual(
      [],
    );
  });

  it('forwards with the provider key', async () => {
    const answer = await ask('/v1/models');
    expect(answer.status).toBe(200);
    expect(provider.asked[0]?.headers.authorization).toBe(`Bearer ${providerKey}`);
  });

  it('streams', async () => {
    const answer = await ask('/openai/v1/chat/completions', { method: 'POST', body: question });
    expect(await answer.text()).toBe(
      [
        event({ delta: { content: 'one' } }),
        event({ delta: { content: 'two' } }),
        event({ delta: {}, finish_reason: 'stop' }),
        'data: [DONE]\n\n',
      ].join(''),
    );
    expect(provider.asked[0]?.body.toString()).toBe(question);
  });

  it('aborts the stream at the provider when the client disconnects', async () => {
    const left = provider.clientLeft();
    provider.answerNext((response) => {
      beginStream(response);
      response.write(event({ delta: { content: 'one' } }));
    });
    const answer = await ask('/v1/chat/completions', { method: 'POST', body: question });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    await expect(left).resolves.toBeUndefined();
  });

  it('rejects requests without a key and follows no redirect', async () => {
    expect(await codeOf(await ask('/v1/models', { headers: {} }))).toBe('relay_key_missing');
    provider.answerNext((response) => {
      response.writeHead(307, { location: 'http://169.254.169.254/' }).end();
    });
    expect(await codeOf(await ask('/v1/models'))).toBe('provider_redirect');
  });

  it('counts across requests', async () => {
    const statuses = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await ask('/v1/models')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('logs problems of its settings without sending them to clients', async () => {
    bindings = { RELAY_CONFIG: '{"keys": [{"name": "me", "key": "in-the-clear"}]}' };
    const answer = await ask('/v1/models');
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toMatch(/CONFIG|keys|sha256/);
    expect(lines.join()).toContain('RELAY_CONFIG');
    expect(lines.join()).not.toContain('in-the-clear');
  });

  it('rejects settings with local models, which a worker cannot reach', async () => {
    bindings.RELAY_CONFIG = JSON.stringify({ local: { base_url: 'http://engine:11434' } });
    expect((await ask('/v1/models')).status).toBe(500);
    expect(lines.join()).toContain('RELAY_CONFIG has local');
  });

  it.each([{ budget: { tokens_per_day: 5 } }, { budget_per_person: { requests_per_day: 5 } }])(
    'rejects settings with a budget, which needs a disk: %j',
    async (terms) => {
      const key = { name: 'me', sha256: sha256Hex(relayKey), ...terms };
      bindings.RELAY_CONFIG = JSON.stringify({ keys: [key], usage_folder: '/tmp' });
      expect((await ask('/v1/models')).status).toBe(500);
      expect(lines.join()).toContain(
        'RELAY_CONFIG has a key with a budget, but an edge worker has no disk to count it',
      );
    },
  );

  it('finds the provider of a model', async () => {
    const other = await Provider.start();
    other.answerNext(json(200, { data: [{ id: 'tiny-2' }] }));
    bindings.RELAY_CONFIG = JSON.stringify({
      providers: { openai: { base_url: provider.base() }, other: { base_url: other.base() } },
      keys: [{ name: 'me', sha256: sha256Hex(relayKey) }],
    });
    bindings.OTHER_API_KEY = providerKey;
    const answer = await ask('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${relayKey}`, 'content-type': 'application/json' },
      body: question.replace('tiny', 'tiny-2'),
    });
    expect(await answer.text()).toContain('two');
    expect(other.asked.map(({ url }) => url)).toEqual(['/v1/models', '/v1/chat/completions']);
    await other.close();
  });

  it('accepts settings as an object, like in the deploy file', async () => {
    const { RELAY_CONFIG = '' } = bindings;
    const given = { ...bindings, RELAY_CONFIG: JSON.parse(RELAY_CONFIG) };
    const headers = { authorization: `Bearer ${relayKey}` };
    const request = new Request('https://relay.example/v1/models', { headers });
    expect((await worker.fetch(request, given)).status).toBe(200);
  });

  it('cannot read files', async () => {
    bindings.RELAY_CONFIG = JSON.stringify({
      providers: { openai: { base_url: provider.base(), key_file: '/etc/hostname' } },
      keys: [{ name: 'me', sha256: sha256Hex(relayKey) }],
    });
    expect(await codeOf(await ask('/v1/models'))).toBe('provider_key_missing');
  });
});
