import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { secretsFolder } from '#contract/server-paths.ts';
import {
  chatModelCheck,
  modelsCheck,
  providerKeysCheck,
} from '../../../../../appliance/operations/doctor/checks/models.ts';
import { status } from '../../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../../faulty-server/faulty-server.ts';
import { bundledModel, serverWith, store } from '../../../stages/models/bundled-model.ts';
import { SmallEngine } from '../../../stages/models/small-engine.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { look } from '../look.ts';

const tiny = bundledModel('tiny:1b');

let engine: SmallEngine;
beforeEach(async () => {
  engine = await SmallEngine.start();
});

/** @param bundled whether the model is in the release folder */
async function codes(bundled: boolean, mirror?: string) {
  const site = {
    ports: { engine: engine.port },
    ...(mirror ? { mirrors: { models: mirror } } : {}),
  };
  const { host, context } = serverWith([tiny], { site });
  engine.store = host.path(store);
  const releaseFolder = bundled ? context.releaseFolder : '/nonexistent';
  if (modelsCheck.needs !== 'site') return [];
  const findings = await modelsCheck.run({
    ...context,
    releaseFolder,
    // Ollama's registry must not be requested by a test.
    site: { ...context.site, route: { mode: 'http-proxy', url: dead, no_proxy: ['127.0.0.1'] } },
  });
  return findings.map(({ code, subject, fix }) => [code, subject, fix?.does.en]);
}

/** Port 9 of loopback: refuses connections. */
const dead = 'http://127.0.0.1:9';
const fix = 'download the missing models';

describe('the check of models', () => {
  it('finds a missing model that the bundle contains', async () => {
    expect(await codes(true)).toEqual([['MODEL_MISSING', 'tiny:1b', fix]]);
  });

  it('finds a missing model that a mirror may have', async () => {
    const server = await FaultyServer.start(status(404));
    expect(await codes(false, server.url('/').origin)).toEqual([['MODEL_MISSING', 'tiny:1b', fix]]);
    await server.close();
  });

  it('finds a missing model whose sources cannot be reached', async () => {
    expect(await codes(false, dead)).toEqual([['MODEL_PULL_TIMEOUT', 'tiny:1b', fix]]);
  });
});

describe('the check of a chat without any model', () => {
  const found = async (site: Readonly<Record<string, unknown>>, pulled?: string) => {
    const { host, context } = serverWith([], { site: { ports: { engine: engine.port }, ...site } });
    engine.store = host.path(store);
    if (pulled) engine.models.set(pulled, 'c'.repeat(64));
    if (chatModelCheck.needs !== 'site') return [];
    return (await chatModelCheck.run(context)).map(({ code }) => code);
  };

  it('finds a server with neither a local chat model nor a provider', async () => {
    expect(await found({})).toEqual(['CHAT_NO_MODEL']);
  });

  it('accepts a provider, and a model that was pulled by hand', async () => {
    const providers = { qwen: { base_url: 'https://qwen.example.com/v1' } };
    expect(await found({ providers })).toEqual([]);
    expect(await found({}, 'gemma3:1b')).toEqual([]);
  });
});

const answers = { 'docker inspect': 1, 'ip -json address': '[]' };
const refused = 'the provider openai rejects the key in OPENAI_API_KEY';
const site = { providers: { openai: { base_url: 'https://api.openai.com/v1' } } };

describe('the check of provider keys', () => {
  it('finds a provider without a key', async () => {
    expect(await look(providerKeysCheck, TemporaryHost.with({}, answers), { site })).toEqual([
      [
        'PROVIDER_KEY_MISSING',
        'openai',
        'the provider openai has no key: OPENAI_API_KEY is not set',
      ],
    ]);
  });

  it.each([
    [502, 'provider_key_refused', [['PROVIDER_KEY_REFUSED', 'openai', refused]]],
    // Not every provider has a list of models, and one can be down.
    [404, 'provider_error', []],
    [502, 'provider_unreachable', []],
    [200, '', []],
  ])('tries the key through the relay, which returns %i %s', async (status, code, expected) => {
    const relay = createServer((_request, response) => {
      response.writeHead(status).end(JSON.stringify({ error: { code } }));
    }).listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const { port } = relay.address() as AddressInfo;
    const host = TemporaryHost.with({ [`${secretsFolder}/OPENAI_API_KEY`]: 'sk-x' }, answers);
    const found = await look(providerKeysCheck, host, {
      site: { ...site, ports: { relay: port } },
    });
    relay.close();
    expect(found).toEqual(expected);
  });

  it.each([
    [{ data: [{ id: 'gpt-6' }, { id: 'gpt-6-mini' }] }, ['gpt-5']],
    // Not every provider has a list of models.
    [{ object: 'no list' }, []],
  ])('finds models of the site that the provider does not list: %j', async (list, unknown) => {
    const relay = createServer((_request, response) => {
      response.writeHead(200).end(JSON.stringify(list));
    }).listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const { port } = relay.address() as AddressInfo;
    const host = TemporaryHost.with({ [`${secretsFolder}/OPENAI_API_KEY`]: 'sk-x' }, answers);
    const openai = { ...site.providers.openai, models: ['gpt-6', 'gpt-5'] };
    const found = await look(providerKeysCheck, host, {
      site: { providers: { openai }, ports: { relay: port } },
    });
    relay.close();
    expect(found).toEqual(
      unknown.map((model) => [
        'PROVIDER_MODEL_UNKNOWN',
        'openai',
        `the model ${model} is not in the list of the provider openai`,
      ]),
    );
  });

  it('reports no missing key of a machine of the administrator', async () => {
    const providers = { gpu: { base_url: 'http://10.0.0.5:8000/v1', plain: 'i-understand' } };
    const host = TemporaryHost.with({}, answers);
    expect(await look(providerKeysCheck, host, { site: { providers } })).toEqual([]);
  });

  it('reports no rejected key while the relay is down', async () => {
    const host = TemporaryHost.with({ [`${secretsFolder}/OPENAI_API_KEY`]: 'sk-x' }, answers);
    const differences = { site: { ...site, ports: { relay: 1 } } };
    expect(await look(providerKeysCheck, host, differences)).toEqual([]);
  });
});
