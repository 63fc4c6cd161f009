import { describe, expect, it } from 'vitest';
import { providerModelsFile, secretsFolder } from '#contract/server-paths.ts';
import {
  readProviderModels,
  refreshProviderModels,
} from '../../../../appliance/stages/stack/provider-models.ts';
import { FaultyServer, type Handler } from '../../../faulty-server/faulty-server.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const providers = {
  deepseek: { base_url: 'https://api.deepseek.com/v1' },
  zhipu: { base_url: 'https://open.bigmodel.cn/api/paas/v4' },
};

/** A relay that lists these models by provider. The others have no list. */
async function relayOf(lists: Readonly<Record<string, readonly string[]>>) {
  const answer: Handler = ({ request, response }) => {
    const [, provider = ''] = /^\/([a-z-]+)\/v1\/models$/.exec(request.url ?? '') ?? [];
    const names = lists[provider];
    const isAllowed = request.headers.authorization === 'Bearer owner-key';
    response.writeHead(isAllowed && names ? 200 : 404);
    response.end(JSON.stringify({ data: (names ?? []).map((id) => ({ id })) }));
  };
  return await FaultyServer.start(answer);
}

function serverWith(relay: FaultyServer, site: Record<string, unknown> = {}, files = {}) {
  const host = TemporaryHost.with({
    [`${secretsFolder}/RELAY_KEY_OWNER`]: 'owner-key\n',
    ...files,
  });
  const ports = { relay: Number(new URL(relay.origin).port) };
  const context = contextFor(host, {
    site: { providers, components: { chat: true }, ports, ...site },
  });
  return { host, site: context.site };
}

describe('the models of hosted providers', () => {
  it('stores the lists that the providers have, and says whether one has changed', async () => {
    const relay = await relayOf({ deepseek: ['deepseek-flash', 'deepseek-v4-pro'] });
    const { host, site } = serverWith(relay);
    expect(await refreshProviderModels(host, site)).toBe(true);
    expect(Object.fromEntries(await readProviderModels(host, site))).toEqual({
      deepseek: ['deepseek-flash', 'deepseek-v4-pro'],
    });
    expect(await refreshProviderModels(host, site)).toBe(false);
    await relay.close();
  });

  it('keeps the list of a provider that does not respond, and drops that of another URL', async () => {
    const relay = await relayOf({});
    const stored = {
      deepseek: { base_url: providers.deepseek.base_url, models: ['deepseek-flash'] },
      zhipu: { base_url: 'https://old.example.com/v4', models: ['glm-1'] },
    };
    const { host, site } = serverWith(relay, {}, { [providerModelsFile]: JSON.stringify(stored) });
    expect(await refreshProviderModels(host, site)).toBe(false);
    expect(Object.fromEntries(await readProviderModels(host, site))).toEqual({
      deepseek: ['deepseek-flash'],
    });
    await relay.close();
  });

  it('drops names that a front-end would misread', async () => {
    const relay = await relayOf({ deepseek: ['good', 'a,b', 'a=b', 'a@Azure', '-all', "x'y", ''] });
    const { host, site } = serverWith(relay);
    await refreshProviderModels(host, site);
    expect(Object.fromEntries(await readProviderModels(host, site))).toEqual({
      deepseek: ['good'],
    });
    await relay.close();
  });

  it('requests nothing without a front-end, or for a provider whose models the site names', async () => {
    const relay = await relayOf({ deepseek: ['deepseek-flash'] });
    const without = serverWith(relay, { components: {} });
    expect(await refreshProviderModels(without.host, without.site)).toBe(false);
    const named = serverWith(relay, {
      providers: { deepseek: { ...providers.deepseek, models: ['mine'] } },
    });
    expect(await refreshProviderModels(named.host, named.site)).toBe(false);
    expect(relay.seen()).toEqual([]);
    await relay.close();
  });
});
