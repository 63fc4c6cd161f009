import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { tryKey } from '../../../../appliance/commands/secret/set.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** Tries a secret on a server whose relay returns this status and error code. */
async function triedWith(status: number, code: string, name = 'OPENAI_API_KEY') {
  const relay = createServer((_request, response) => {
    response.writeHead(status).end(JSON.stringify({ error: { code } }));
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  const site = {
    providers: { openai: { base_url: 'https://api.openai.com/v1' } },
    ports: { relay: port },
  };
  const host = TemporaryHost.with({}, { 'docker inspect': 1, 'ip -json address': '[]' });
  try {
    return await tryKey(contextFor(host, { site }), name);
  } finally {
    relay.close();
  }
}

describe('tryKey', () => {
  it('reports a key that the provider accepts', async () => {
    expect(await triedWith(200, '')).toBe('openai accepts the key.');
  });

  it('reports the result in the language of the process', async () => {
    setLanguage('zh');
    expect(await triedWith(200, '')).toBe('openai 接受了这个密钥。');
    setLanguage('en');
  });

  it('throws for a key that the provider rejects, with the command that sets it', async () => {
    await expect(triedWith(502, 'provider_key_refused')).rejects.toMatchObject({
      code: 'PROVIDER_KEY_REFUSED',
      hint: expect.stringContaining('`sudo landfall secret set OPENAI_API_KEY`'),
    });
  });

  it('reports that a key could not be tested', async () => {
    expect(await triedWith(404, 'provider_error')).toContain('could not be tested');
  });

  it('does not try other secrets', async () => {
    expect(await triedWith(502, 'provider_key_refused', 'RELAY_KEY_OWNER')).toBeUndefined();
  });
});
