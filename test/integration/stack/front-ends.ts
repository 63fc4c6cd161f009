import { describe, expect, it } from 'vitest';
import { lobeAuth, lobeAuthHeader } from '../../../appliance/shared/smoke/cases/lobe.ts';
import type { RunningStack } from './running-stack.ts';

/** The pages for hosted providers, and the relay behind them. */
export function frontEnds(stack: () => RunningStack): void {
  describe('its front-ends', () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const chatBody = JSON.stringify({ model: 'm', stream: true, messages });

    it('require their access codes', async () => {
      const { text } = await stack().ask('https://next.example.com/api/config');
      expect(JSON.parse(text)).toMatchObject({ needCode: true, hideUserApiKey: true });
      const refused = await stack().ask('https://next.example.com/api/openai/v1/models');
      expect(refused.status).toBe(401);
    });

    it("stream a provider's response event by event, with the key that only the relay has", async () => {
      const { status, text } = await stack().askForWords(
        'https://next.example.com/api/openai/v1/chat/completions',
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer nk-${stack().secrets.CHAT_ACCESS_CODE}`,
          },
          body: chatBody,
        },
      );
      expect([status, text.trimEnd().endsWith('data: [DONE]')]).toEqual([200, true]);
      expect(stack().provider.received.at(-1)?.headers.authorization).toBe(
        `Bearer ${stack().providerKey}`,
      );
    });

    it('use the relay on the other page as well', async () => {
      const { status, text } = await stack().ask('https://lobe.example.com/webapi/chat/openai', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [lobeAuthHeader]: lobeAuth({ accessCode: stack().secrets.LOBE_ACCESS_CODE ?? '' }),
        },
        body: JSON.stringify({ model: 'm', messages }),
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
    ])('blocks the path %s of front-ends, which leaks keys or relays', async (path) => {
      const { status } = await stack().ask(`https://next.example.com${path}`, {
        headers: { 'x-base-url': `${stack().provider.baseUrl}/api.openai.com` },
      });
      expect(status).toBe(403);
    });

    it("never receive the client's choice of an upstream URL", async () => {
      const before = stack().provider.received.length;
      await stack().ask('https://next.example.com/api/openai/v1/models', {
        headers: {
          'x-base-url': `${stack().provider.baseUrl}/api.openai.com`,
          authorization: `Bearer nk-${stack().secrets.CHAT_ACCESS_CODE}`,
        },
      });
      const paths = stack()
        .provider.received.slice(before)
        .map(({ path }) => path);
      expect(paths).toEqual(['/v1/models']);
    });

    it.each(['next', 'lobe'])('receive no upgrade for %s (CVE-2026-44578)', async (name) => {
      expect((await stack().upgrade(`https://${name}.example.com`)).status).not.toBe(101);
    });
  });
  describe('its relay', () => {
    const models = (key: string) =>
      stack().ask('https://api.example.com/openai/v1/models', {
        headers: { authorization: `Bearer ${key}` },
      });

    it('accepts only its own keys', async () => {
      expect((await models(stack().secrets.RELAY_KEY_OWNER ?? '')).status).toBe(200);
      expect((await models(stack().secrets.RELAY_KEY_PHONE ?? '')).status).toBe(200);
      expect((await models('wrong')).status).toBe(401);
      expect((await models(stack().providerKey)).status).toBe(401);
    });
  });
}
