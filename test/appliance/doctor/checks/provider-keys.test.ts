import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { secretsFolder } from '#contract/server-paths.ts';
import { providerKeysCheck } from '../../../../appliance/doctor/checks/provider-keys.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

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

  it('reports no rejected key while the relay is down', async () => {
    const host = TemporaryHost.with({ [`${secretsFolder}/OPENAI_API_KEY`]: 'sk-x' }, answers);
    const differences = { site: { ...site, ports: { relay: 1 } } };
    expect(await look(providerKeysCheck, host, differences)).toEqual([]);
  });
});
