import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
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

    it('has its administrator from the start, and does not expose a first-run setup', async () => {
      const { status, text, headers } = await signIn(stack().secrets.WEBUI_ADMIN_PASSWORD ?? '');
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

    it('rate-limits password guesses', async () => {
      const statuses = await Promise.all(Array.from({ length: 40 }, () => signIn('guess')));
      expect(statuses.map(({ status }) => status)).toContain(429);
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
      const { token } = JSON.parse((await signInOnceAllowed(signIn, stack().secrets)).text);
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

/** The gateway's rate limit recovers by one request per second. */
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
