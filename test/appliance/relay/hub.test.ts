import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { relayConfigSchema } from '../../../appliance/relay/config.ts';
import { json, Provider, providerKey } from './provider.ts';
import { codeOf, RelayRig, relayKey } from './rig.ts';

describe('the model hub', () => {
  const body = '{"inputs":"Hello"}';
  const headers = { 'content-type': 'application/json', cookie: 'session=1' };
  const settings = {
    keys: [
      { name: 'me', sha256: sha256Hex(relayKey) },
      { name: 'guest', sha256: sha256Hex('guest'), providers: ['openai'] },
      { name: 'reader', sha256: sha256Hex('reader'), providers: ['hub'] },
    ],
  };
  let rig: RelayRig;
  let hub: Provider;
  /** Starts the relay with these settings. */
  async function again(...args: Parameters<typeof RelayRig.start>): Promise<void> {
    await rig?.close();
    rig = await RelayRig.start(...args);
  }
  beforeEach(async () => {
    hub = await Provider.start();
    const base_url = `http://127.0.0.1:${hub.port}/hf-inference/`;
    await again({ ...settings, hub: { base_url } }, { keys: { HUB_API_KEY: providerKey } });
  });
  afterEach(async () => {
    await rig.close();
    await hub.close();
  });
  const ask = (key = relayKey) =>
    rig.ask('/hub/models/org/name', {
      ...{ method: 'POST', body },
      headers: { ...headers, authorization: `Bearer ${key}` },
    });

  it('gets the request with its own token, and without the headers of the client', async () => {
    hub.answerNext(json(200, [{ label: 'POSITIVE' }]));
    const answer = await ask();
    expect(await answer.json()).toEqual([{ label: 'POSITIVE' }]);
    expect(hub.asked[0]).toMatchObject({
      method: 'POST',
      url: '/hf-inference/models/org/name',
      headers: { authorization: `Bearer ${providerKey}`, 'content-type': 'application/json' },
    });
    expect(String(hub.asked[0]?.body)).toBe(body);
    expect(hub.asked[0]?.headers).not.toHaveProperty('cookie');
    expect(rig.provider.asked).toEqual([]);
    expect(rig.log.at(-1)).toMatchObject({ provider: 'hub', endpoint: '/models/org/name' });
  });

  it('does not reveal its token in an error', async () => {
    hub.answerNext(json(404, { error: `no model for ${providerKey}` }));
    const answer = await ask();
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain(providerKey);
  });

  it('offers the model hub to allowed keys only', async () => {
    hub.answerNext(json(200, []));
    expect((await ask('reader')).status).toBe(200);
    expect(await codeOf(await ask('guest'))).toBe('relay_provider_forbidden');
    expect(await codeOf(await ask('wrong'))).toBe('relay_key_invalid');
  });

  it('offers no other endpoints of the model hub', async () => {
    for (const path of ['/hub/v1/models', '/hub/models', '/hub/api/whoami-v2']) {
      expect((await rig.ask(path)).status).toBe(404);
    }
    expect(hub.asked).toEqual([]);
  });

  it('rejects the model hub without settings, and reports a missing token', async () => {
    await again({});
    expect(await codeOf(await ask())).toBe('relay_provider_unknown');
    await again({ ...settings, hub: { base_url: hub.base() } }, { keys: {} });
    expect(await codeOf(await ask())).toBe('provider_key_missing');
  });
});

describe('the settings of the model hub', () => {
  const base_url = 'https://hub.example/';
  it.each([
    ['a provider of the same name', { hub: { base_url }, providers: { hub: { base_url } } }],
    ['two keys', { hub: { base_url, key_file: 'a', key_env: 'A' } }],
    ['a default provider without one', { hub: { base_url }, default_provider: 'hub' }],
  ])('rejects the settings of the model hub with %s', (_what, settings) => {
    expect(relayConfigSchema.safeParse(settings).success).toBe(false);
  });
});
