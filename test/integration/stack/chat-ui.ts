import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './gateway-client.ts';
import type { RunningStack } from './running-stack.ts';

/** The chat UI behind the gateway, with Ollama behind it. */
export function chatUi(stack: () => RunningStack): void {
  describe('its chat UI', () => {
    const signIn = (password: string) =>
      stack().ask('https://chat.example.com/api/v1/auths/signin', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ops@example.org', password }),
      });

    /** Once, because the gateway accepts few sign-ins. */
    let signedIn: Answer;
    beforeAll(async () => {
      signedIn = await signIn(stack().secrets.WEBUI_ADMIN_PASSWORD ?? '');
    });

    it('creates the administrator of the chat UI from the start, and exposes no first-run setup', async () => {
      const { status, text, headers } = signedIn;
      expect([status, JSON.parse(text).role]).toEqual([200, 'admin']);
      expect(String(headers['set-cookie'])).toMatch(/; SameSite=strict; Secure/);
      const { text: config } = await stack().ask('https://chat.example.com/api/config');
      expect(JSON.parse(config).onboarding).toBeUndefined();
    });

    it('rejects sign-ups', async () => {
      const { status } = await stack().ask('https://chat.example.com/api/v1/auths/signup', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'eve@example.org', password: 'x', name: 'Eve' }),
      });
      expect(status).toBe(403);
    });

    it('rate-limits password guesses, so that they do not use up the sign-ins of the account', async () => {
      const statuses = await Promise.all(Array.from({ length: 40 }, () => signIn('guess')));
      expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(37);
      const address = await stack().rig.address('ui');
      const answer = await fetch(`http://${address}:8080/api/v1/auths/signin`, {
        method: 'POST',
        body: JSON.stringify({
          email: 'ops@example.org',
          password: stack().secrets.WEBUI_ADMIN_PASSWORD,
        }),
      });
      expect(answer.status).toBe(200);
    });

    it('accepts a WebSocket over TLS', async () => {
      const { status, text } = await stack().upgrade('https://chat.example.com');
      expect(status).toBe(101);
      expect(text).toContain('"pingInterval"');
    });

    it("rejects a WebSocket from another site's page", async () => {
      expect(
        (await stack().upgrade('https://chat.example.com', 'https://evil.example')).status,
      ).toBe(403);
    });

    it('chats with a model of Ollama, and lists hosted ones beside it (SPEC 4, E1 and E2)', async () => {
      const { token } = JSON.parse(signedIn.text);
      const headers = { authorization: `Bearer ${token}` };
      const { text: models } = await stack().ask('https://chat.example.com/api/models', {
        headers,
      });
      expect(JSON.parse(models).data).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: 'tiny:1b', owned_by: 'ollama' }),
          expect.objectContaining({ owned_by: 'openai' }),
        ]),
      );
      const { status, text } = await stack().ask('https://chat.example.com/api/chat/completions', {
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
}
